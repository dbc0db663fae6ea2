import {
  type Disposable,
  type ExecProcess,
  isWindowsThere,
  type LaunchOrigin,
  type LaunchRequest,
  metadataIn,
  type ProcessInfo,
  type SessionOrigin,
  sessionVariables,
  shorten,
} from '../../core/index.js';
import type { ExecEnvironment, SessionList } from '../list/index.js';

/**
 * The most processes that are adopted at a time. No person looks through more, and a server may claim to have any
 * number.
 */
export const MOST_ADOPTED = 500;

/** How many processes are asked for at a time. */
const ATTACHED_AT_ONCE = 20;

/** The longest name of a starter that is taken over from elsewhere, in characters. */
const NAME_LENGTH = 200;

/** The longest title that is taken over from elsewhere, in characters; no place shows more. */
const TITLE_LENGTH = 1_000;

/**
 * Adds the processes that only the environment knows to the list. They come from an earlier connection, another window
 * or other programs. Processes of a lost connection become new sessions; the old sessions stay lost.
 *
 * @param vscodeVersion The version for the variables of a process that a person runs again.
 * @returns the number of adopted processes, and the number of those left out because there are more than
 *   {@link MOST_ADOPTED}.
 */
export async function adoptProcesses(
  list: SessionList,
  environment: ExecEnvironment,
  vscodeVersion: string,
): Promise<{ readonly adopted: number; readonly left: number }> {
  const { backend } = environment;
  const there = (await backend.list()).filter(
    (info) => info.state !== 'starting' && info.state !== 'failed' && !isShown(list, environment, info),
  );
  // If there are too many, running processes come before ended ones.
  const running = there.filter(({ state }) => state === 'running');
  const ordered = [...running, ...there.filter(({ state }) => state !== 'running')];
  const chosen = ordered.slice(0, MOST_ADOPTED).sort((one, other) => one.startedAt - other.startedAt);
  let adopted = 0;
  for (let begin = 0; begin < chosen.length; begin += ATTACHED_AT_ONCE) {
    // Asking for several at once saves time. The list keeps the order of the starts.
    const attached = chosen
      .slice(begin, begin + ATTACHED_AT_ONCE)
      .map(({ processId }) => attachTo(list, environment, processId));
    for (const process of await Promise.all(attached)) {
      if (process !== undefined && adoptAttached(list, environment, process, vscodeVersion)) {
        adopted += 1;
      }
    }
  }
  return { adopted, left: ordered.length - chosen.length };
}

/**
 * Adds the processes that other clients start from now on, as soon as they do. A backend without
 * {@link BackendCapabilities.changes} does not report them.
 */
export function adoptNewcomers(
  list: SessionList,
  environment: ExecEnvironment,
  vscodeVersion: string,
): Disposable {
  return environment.backend.onDidChange(({ type, processId }) => {
    if (type === 'added') {
      void adoptProcess(list, environment, processId, vscodeVersion);
    }
  });
}

/** Adds one process to the list unless that shows it already. */
async function adoptProcess(
  list: SessionList,
  environment: ExecEnvironment,
  processId: string,
  vscodeVersion: string,
): Promise<void> {
  const process = await attachTo(list, environment, processId);
  if (process !== undefined) {
    adoptAttached(list, environment, process, vscodeVersion);
  }
}

/** @returns undefined for a process that the list shows, or that the server has dropped meanwhile. */
async function attachTo(
  list: SessionList,
  { backend }: ExecEnvironment,
  processId: string,
): Promise<ExecProcess | undefined> {
  return list.sessionOf(backend, processId) === undefined
    ? backend.attach(processId).catch(() => undefined)
    : undefined;
}

/** @returns whether it was added: meanwhile the list may have got a session for it, or the server have dropped it. */
function adoptAttached(
  list: SessionList,
  environment: ExecEnvironment,
  process: ExecProcess,
  vscodeVersion: string,
): boolean {
  const info = process.info();
  if (info.state === 'failed' || isShown(list, environment, info)) {
    process.release();
    return false;
  }
  list.adopt(environment, process, requestOf(info, environment, vscodeVersion));
  return true;
}

function isShown(list: SessionList, { backend }: ExecEnvironment, info: ProcessInfo): boolean {
  const { processId } = info;
  if (list.sessionOf(backend, processId) !== undefined || list.isSetAside(backend, processId)) {
    return true;
  }
  const sessionId = metadataIn(info.metadata, 'sessionId');
  const session = sessionId === undefined ? undefined : list.get(sessionId);
  return session !== undefined && session.state !== 'lost';
}

/**
 * A request made from the facts that the server has about the start. It can start the command again, with the usual
 * variables.
 */
function requestOf(info: ProcessInfo, { backend }: ExecEnvironment, vscodeVersion: string): LaunchRequest {
  const { argv, cwd, tty, pipeStdin, size, sandbox, metadata } = info;
  const commandLine = metadataIn(metadata, 'commandLine');
  const title = metadataIn(metadata, 'title');
  return {
    argv,
    ...(commandLine !== undefined && { commandLine }),
    ...(title !== undefined && { title: shorten(title, TITLE_LENGTH) }),
    cwd,
    tty,
    pipeStdin,
    stderrToStdout: metadataIn(metadata, 'stderrToStdout'),
    size,
    ...(sandbox && { sandbox }),
    ...sessionVariables({
      hostEnv: undefined,
      windows: isWindowsThere(backend.host),
      tty,
      // A person runs it again, even if an agent started it.
      forAgent: false,
      vscodeVersion,
    }),
    origin: originOf(metadataIn(metadata, 'origin')),
  };
}

const KINDS: readonly LaunchOrigin['kind'][] = ['user', 'extension', 'agent'];

function originOf({ kind, name, ...more }: SessionOrigin): LaunchOrigin {
  const known = KINDS.find((one) => one === kind);
  return known === undefined
    ? { kind: 'other' }
    : { kind: known, ...more, ...(name !== undefined && { name: shorten(name, NAME_LENGTH) }) };
}
