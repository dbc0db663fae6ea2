import {
  Alarm,
  type Clock,
  type ConnectionState,
  deferred,
  type Disposable,
  type Event,
  type StopOptions,
  untilEnd,
} from '../../core/index.js';
import { SHUTDOWN_WAIT_MS } from '../limits.js';
import type { RemoteProcess } from './remoteProcess.js';
import type { UnseenStarts } from './unseenStarts.js';

/** Stops processes. Gives up if the server cannot be reached: the server itself ends them if no client comes back. */
export async function endProcesses(parts: {
  readonly processes: readonly RemoteProcess[];
  /** Starts that were cancelled. */
  readonly starts: readonly Promise<unknown>[];
  readonly unseen: UnseenStarts;
  readonly session: { readonly state: ConnectionState; readonly onDidChange: Event<ConnectionState> };
  readonly clock: Clock;
  readonly options: StopOptions | undefined;
}): Promise<void> {
  const { processes, starts, unseen, session, clock, options } = parts;
  const work = Promise.allSettled([
    ...starts,
    ...processes.map(async (process) => {
      await process.stop(options);
      if (!process.log.ended) {
        // A descendant that the stop does not reach may hold the output open.
        await process.terminate();
        await untilEnd(process.log, { clock, limitMs: SHUTDOWN_WAIT_MS });
      }
    }),
  ]).then(() => unseen.ended());
  const unreachable = watchForUnreachable(session, clock);
  await Promise.race([work, unreachable.promise]);
  unreachable.dispose();
}

/** Resolves once the server has been unreachable for too long. */
function watchForUnreachable(
  session: { readonly state: ConnectionState; readonly onDidChange: Event<ConnectionState> },
  clock: Clock,
): Disposable & { readonly promise: Promise<void> } {
  const { promise, resolve } = deferred();
  const alarm = new Alarm(clock);
  const look = (state: ConnectionState) => {
    alarm.dispose();
    if (state.kind === 'lost') {
      resolve();
    } else if (state.kind === 'recovering') {
      alarm.set(SHUTDOWN_WAIT_MS, resolve);
    }
  };
  look(session.state);
  const subscription = session.onDidChange(look);
  return {
    promise,
    dispose: () => {
      subscription.dispose();
      alarm.dispose();
    },
  };
}
