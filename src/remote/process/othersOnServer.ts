import type { ProcessInfo } from '../../core/index.js';
import type { Calls } from '../session/resumableConnection.js';
import { describeProcess, originOf } from './description.js';
import { EarlyEvents } from '../log/eventSorter.js';
import { CREDIT_WINDOW_BYTES, REQUEST_MS } from '../limits.js';
import type { NotificationRouter } from '../session/notifications.js';
import type { RemoteEvent } from '../session/remoteEvent.js';
import type { Origin } from './remoteProcess.js';
import type { ServerFacts } from '../session/serverFacts.js';
import { execErrorOf, type NamedProcess } from '../session/wireFailures.js';

/**
 * What others have started there, or another window, by handle and each once.
 *
 * @param isOurs Whether we have a process of that name: whoever looks for it wants ours, so it is left out here.
 * @throws ExecError
 */
export async function listOthers(
  calls: Calls,
  server: ServerFacts,
  isOurs: (handle: string) => boolean,
): Promise<readonly ProcessInfo[]> {
  try {
    const { processes } = await calls.call('process/list', {}, { timeoutMs: REQUEST_MS, repeat: true });
    const others = new Map(
      processes
        // What this connection session has a name for is ours, or was and is over.
        .filter(({ processId, handle }) => processId === undefined && !isOurs(handle))
        .map((description) => [description.handle, describeProcess(description, server.host)]),
    );
    return [...others.values()];
  } catch (error) {
    throw execErrorOf(error);
  }
}

/** A process of others that we have taken up. */
export interface Attached {
  readonly origin: Origin;
  readonly pid: number | undefined;
  /** What the server told of it before it said what it is. */
  readonly early: readonly RemoteEvent[];
}

/**
 * Takes up a process that is there: `process.processId` is its handle, `process.wireId` what we call it from now on.
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
