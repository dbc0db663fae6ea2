import { ExecError, type ProcessInfo } from '../../core/index.js';
import {
  BadAnswerError,
  CLIENT_MAX_MESSAGE_BYTES,
  type ParamsOf,
  type ProcessDescription,
  type ResultOf,
} from '../../protocol/index.js';
import type { Calls } from '../session/resumableConnection.js';
import { describeProcess, originOf } from './description.js';
import { EarlyEvents } from '../log/eventSorter.js';
import { REQUEST_MS } from '../limits.js';
import { isHandle } from './keptDescription.js';
import type { NotificationRouter } from '../session/notifications.js';
import type { RemoteEvent } from '../session/remoteEvent.js';
import type { Origin } from './remoteProcess.js';
import type { ServerFacts } from '../session/serverFacts.js';
import { execErrorOf, inOurErrors, type WindowedProcess } from '../session/wireFailures.js';

/** The most processes in a server's list: more than a machine runs for people, and few enough to look at. */
export const MOST_LISTED = 10_000;

/** The most characters that are kept of all of them together: as many as a list without pages can have. */
const MOST_CHARACTERS = CLIENT_MAX_MESSAGE_BYTES;

/**
 * Lists the processes that other clients, for example other windows, have started on the server, each once. It comes in
 * pages if the server supports that: a list of long commands can be larger than a message.
 *
 * @param isOurs Whether this backend has a process with that handle as its id. The id should find ours, so the other
 *   process is left out.
 * @throws ExecError
 */
export async function listOthers(
  calls: Calls,
  server: ServerFacts,
  isOurs: (handle: string) => boolean,
): Promise<readonly ProcessInfo[]> {
  try {
    const others = new Map<string, ProcessInfo>();
    let count = 0;
    let characters = 0;
    for await (const page of pagesOfList(calls, server)) {
      count += page.length;
      if (count > MOST_LISTED) {
        throw new ExecError({ kind: 'tooManyProcesses', count, limit: MOST_LISTED });
      }
      for (const description of page) {
        const { processId, handle } = description;
        // Processes with a name in this connection session are ours, or were ours and have ended.
        if (processId === undefined && isHandle(handle) && !isOurs(handle)) {
          const info = describeProcess(description, server.host);
          others.set(handle, info);
          characters += charactersOf(info);
        }
      }
      if (characters > MOST_CHARACTERS) {
        throw new ExecError({ kind: 'listTooLarge', limitBytes: MOST_CHARACTERS });
      }
    }
    return [...others.values()];
  } catch (error) {
    throw execErrorOf(error);
  }
}

/**
 * Makes the server forget a process that has exited.
 *
 * @param processId Its id in this backend, for errors.
 * @throws ExecError
 */
export async function removeOnServer(
  named: ParamsOf<'process/remove'>,
  processId: string,
  calls: Calls,
): Promise<void> {
  const removal = calls.call('process/remove', named, { timeoutMs: REQUEST_MS, repeat: true });
  await inOurErrors(removal, { processId, wireId: named.processId ?? processId });
}

export async function* pagesOfList(
  calls: Calls,
  server: ServerFacts,
): AsyncGenerator<readonly ProcessDescription[], void> {
  if (server.additions.listPages !== true) {
    // Not repeated: a list larger than a message may itself have ended the connection, and would do so again.
    yield (await calls.call('process/list', {}, { timeoutMs: REQUEST_MS })).processes;
    return;
  }
  for (let after: string | undefined = ''; after !== undefined;) {
    const options = { timeoutMs: REQUEST_MS, repeat: true };
    const page: ResultOf<'process/listPage'> = await calls.call('process/listPage', { after }, options);
    if (page.next !== undefined && page.processes.length === 0) {
      throw new BadAnswerError('process/listPage', 'next', 'it is there, and the page is empty');
    }
    yield page.processes;
    after = page.next;
  }
}

function charactersOf({ argv, metadata }: ProcessInfo): number {
  return JSON.stringify([argv, metadata]).length;
}

/** A process of another client that this connection session is now attached to. */
interface Attached {
  readonly origin: Origin;
  readonly pid: number | undefined;
  /** The events that arrived before the description of the process. */
  readonly early: readonly RemoteEvent[];
}

/**
 * Attaches to a process on the server: `process.processId` is its handle, `process.wireId` its name in this connection
 * session from now on.
 *
 * @throws ExecError
 */
export async function attachOnServer(
  process: WindowedProcess,
  server: ServerFacts,
  calls: Calls,
  router: NotificationRouter,
): Promise<Attached> {
  const { processId: handle, wireId } = process;
  const early = new EarlyEvents();
  router.listen(wireId, early);
  try {
    const { process: description } = await calls.call(
      'process/attach',
      {
        handle,
        processId: wireId,
        ...(server.additions.flow === true && { windowBytes: process.windowBytes }),
      },
      { timeoutMs: REQUEST_MS },
    );
    return { origin: originOf(description, server.host), pid: description.pid, early: early.events };
  } catch (error) {
    router.forget(wireId);
    throw execErrorOf(error, process);
  }
}
