import { type ParamsOf, WireCode, WireError } from '../../protocol/index.js';

/**
 * Refuses a start that asks for protection that there is none of here: a client that asks for it relies on it.
 *
 * @throws WireError
 */
export function refuseSandbox(params: ParamsOf<'process/start'>): void {
  const asked = [
    isGiven(params.sandbox) && 'sandbox',
    params.enforceManagedNetwork === true && 'enforceManagedNetwork',
    isGiven(params.managedNetwork) && 'managedNetwork',
    isGiven(params.networkProxy) && 'networkProxy',
    isGiven(params.shellSnapshot) && 'shellSnapshot',
  ].find((name) => name !== false);
  if (asked !== undefined) {
    throw new WireError(
      WireCode.invalidParams,
      `this exec-server cannot enforce \`${asked}\`: nothing was started; ask for it without, or use another server`,
    );
  }
}

/**
 * As {@link refuseSandbox}, for a file.
 *
 * @throws WireError
 */
export function refuseFileSandbox(params: { readonly sandbox?: unknown }): void {
  if (isGiven(params.sandbox)) {
    throw new WireError(
      WireCode.invalidParams,
      'this exec-server cannot enforce `sandbox`: nothing was done; ask for it without, or use another server',
    );
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
