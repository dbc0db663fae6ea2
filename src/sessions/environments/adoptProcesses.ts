import {
  isWindowsThere,
  type LaunchOrigin,
  type LaunchRequest,
  type ProcessInfo,
  sessionVariables,
} from '../../core/index.js';
import type { ExecEnvironment, SessionList } from '../list/index.js';
import { shorten } from '../words/index.js';

/** More than this at a time nobody looks through, and a server may say that it has any number. */
export const MOST_ADOPTED = 500;

/** More than this of a title that somebody else has given is seen nowhere. */
const TITLE_LENGTH = 1_000;

/**
 * Puts the processes into the list that an environment knows and the list does not: those of an earlier connection, of
 * another window, of other programs. Those of a connection that was lost come as new sessions: the old ones stay lost.
 *
 * @param vscodeVersion For the variables, if a person runs one of them again.
 * @returns how many there were, and how many were left out because there are too many.
 */
export async function adoptProcesses(
  list: SessionList,
  environment: ExecEnvironment,
  vscodeVersion: string,
): Promise<{ readonly adopted: number; readonly left: number }> {
  const { backend } = environment;
  if (!backend.capabilities.list || !backend.capabilities.attach) {
    return { adopted: 0, left: 0 };
  }
  const there = (await backend.list()).filter(
    (info) => info.state !== 'starting' && info.state !== 'failed' && !isShown(list, environment, info),
  );
  // What runs comes before what is over.
  const running = there.filter(({ state }) => state === 'running');
  const ordered = [...running, ...there.filter(({ state }) => state !== 'running')];
  let adopted = 0;
  for (const info of ordered.slice(0, MOST_ADOPTED)) {
    const process = await backend.attach(info.processId).catch(() => undefined);
    // It may have been forgotten there, or started here, while we asked.
    if (process !== undefined && !isShown(list, environment, info)) {
      list.adopt(environment, process, requestOf(info, environment, vscodeVersion));
      adopted += 1;
    } else {
      process?.release();
    }
  }
  return { adopted, left: Math.max(0, ordered.length - MOST_ADOPTED) };
}

function isShown(list: SessionList, { backend }: ExecEnvironment, info: ProcessInfo): boolean {
  if (list.sessionOf(backend, info.processId) !== undefined) {
    return true;
  }
  const { sessionId } = info.metadata;
  const session = typeof sessionId === 'string' ? list.get(sessionId) : undefined;
  return session !== undefined && session.state !== 'lost';
}

/** What is known of how it was started; enough to start it again with the usual variables. */
function requestOf(info: ProcessInfo, { backend }: ExecEnvironment, vscodeVersion: string): LaunchRequest {
  const { argv, cwd, tty, pipeStdin, size, metadata } = info;
  const { commandLine, title } = metadata;
  return {
    argv,
    ...(typeof commandLine === 'string' && { commandLine }),
    ...(typeof title === 'string' && { title: shorten(title, TITLE_LENGTH) }),
    cwd,
    tty,
    pipeStdin,
    size,
    ...sessionVariables({
      hostEnv: undefined,
      windows: isWindowsThere(backend.host),
      tty,
      // A person runs it again, whoever has started it.
      forAgent: false,
      vscodeVersion,
    }),
    origin: originOf(metadata['origin']),
  };
}

const KINDS: readonly LaunchOrigin['kind'][] = ['user', 'extension', 'agent'];

/** Written by whoever started it, so that it may be anything. */
function originOf(value: unknown): LaunchOrigin {
  const { kind, name } = (value ?? {}) as Partial<Record<keyof LaunchOrigin, unknown>>;
  const known = KINDS.find((one) => one === kind);
  return known === undefined ? { kind: 'other' } : { kind: known, ...(typeof name === 'string' && { name }) };
}
