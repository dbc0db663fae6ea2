import { ExecError, isExecError, oneLine } from '../core/index.js';
import { type EngineConnectorOptions, scriptConnector, targetOf } from './engineConnector.js';
import { removalTalk } from './install/talk.js';

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
export async function removeServer({
  force,
  signal,
  ...options
}: Omit<EngineConnectorOptions, 'mayInstallNode' | 'onStep'> & {
  readonly force: boolean;
  readonly signal: AbortSignal;
}): Promise<Removed> {
  const target = targetOf(options.reached);
  let answer = '';
  const connector = scriptConnector(
    { ...options, mayInstallNode: () => Promise.resolve(false) },
    (talk) => removalTalk(talk, (word) => (answer = word)),
    force ? 'forced' : 'usual',
  );
  try {
    (await connector.connect(signal)).destroy('nothing of ours is left there');
  } catch (error) {
    const failure = isExecError(error) ? error.failure : undefined;
    throw failure?.kind === 'installFailed' ? new ExecError({ ...failure, kind: 'removeFailed' }) : error;
  }
  return removedIn(answer) ?? fail(target, answer);
}

function removedIn(answer: string): Removed | undefined {
  const [, kind, sessions = ''] = /^(?:(removed|nothing)|running (\d{1,9}))$/.exec(answer) ?? [];
  return kind === 'removed' || kind === 'nothing'
    ? { kind }
    : sessions === ''
      ? undefined
      : { kind: 'running', sessions: Number(sessions) };
}

function fail(target: string, answer: string): never {
  const reason = `it gives an answer that makes no sense: ${oneLine(answer, 80)}`;
  throw new ExecError({ kind: 'removeFailed', target, reason });
}
