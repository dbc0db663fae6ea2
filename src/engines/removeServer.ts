import type { EngineConnectorOptions } from './engineConnector.js';

export type Removed =
  | { readonly kind: 'removed' }
  | { readonly kind: 'nothing' }
  /** Sessions run there, and `force` was not given. */
  | { readonly kind: 'running'; readonly sessions: number };

/**
 * Removes everything of ours from another machine: the session servers of the account, their files and their Node.
 *
 * @throws ExecError
 */
export function removeServer(
  _options: Omit<EngineConnectorOptions, 'mayInstallNode' | 'onStep'> & {
    readonly force: boolean;
    readonly signal: AbortSignal;
  },
): Promise<Removed> {
  return Promise.resolve({ kind: 'nothing' });
}
