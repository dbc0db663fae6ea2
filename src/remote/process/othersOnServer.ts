import { ExecError, type ProcessInfo } from '../../core/index.js';
import type { ParamsOf } from '../../protocol/index.js';
import type { Calls } from '../session/resumableConnection.js';
import { describeProcess, originOf } from './description.js';
import { EarlyEvents } from '../log/eventSorter.js';
import { CREDIT_WINDOW_BYTES, REQUEST_MS } from '../limits.js';
import { isHandle } from './keptDescription.js';
import type { NotificationRouter } from '../session/notifications.js';
import type { RemoteEvent } from '../session/remoteEvent.js';
import type { Origin } from './remoteProcess.js';
import type { ServerFacts } from '../session/serverFacts.js';
import { execErrorOf, type NamedProcess } from '../session/wireFailures.js';

/** The most processes that a server's list may have: more than a machine runs for people, and few enough to look at. */
export const MOST_LISTED = 10_000;

/**
 * Lists the processes that other clients, for example other windows, have started on the server, each once.
 *
 * @param isOurs Whether this backend has a process with that handle as its id. A look-up of the id should find ours, so
 *   the other one is left out.
 * @throws ExecError
 */
export async function listOthers(
  calls: Calls,
  server: ServerFacts,
  isOurs: (handle: string) => boolean,
): Promise<readonly ProcessInfo[]> {
  try {
    const { processes } = await calls.call('process/list', {}, { timeoutMs: REQUEST_MS, repeat: true });
    if (processes.length > MOST_LISTED) {
      throw new ExecError({ kind: 'tooManyProcesses', count: processes.length, limit: MOST_LISTED });
    }
    const others = new Map(
      processes
        // Processes with a name in this connection session are ours, or were and are over.
        .filter(({ processId, handle }) => processId === undefined && isHandle(handle) && !isOurs(handle))
        .map((description) => [description.handle, describeProcess(description, server.host)]),
    );
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
  try {
    await calls.call('process/remove', named, { timeoutMs: REQUEST_MS, repeat: true });
  } catch (error) {
    throw execErrorOf(error, { processId, wireId: named.processId ?? processId });
  }
}

/** A process of another client to which this connection session is attached now. */
export interface Attached {
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
  process: NamedProcess,
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
        ...(server.additions.flow === true && { windowBytes: CREDIT_WINDOW_BYTES }),
      },
      { timeoutMs: REQUEST_MS },
    );
    return { origin: originOf(description, server.host), pid: description.pid, early: early.events };
  } catch (error) {
    router.forget(wireId);
    throw execErrorOf(error, process);
  }
}
