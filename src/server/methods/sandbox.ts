import { type ParamsOf, WireCode, WireError } from '../../protocol/index.js';

/**
 * Refuses a start that asks for a protection that this server does not have: the client would rely on it.
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
 * Refuses a file method in the same way as {@link refuseSandbox} a start.
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
