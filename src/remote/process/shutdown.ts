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
import { REQUEST_MS, SHUTDOWN_WAIT_MS } from '../limits.js';
import type { RemoteProcess } from './remoteProcess.js';
import type { Calls } from '../session/resumableConnection.js';
import type { NamedProcess } from '../session/wireFailures.js';

/** Ends processes that may have been started although no answer said so. */
export class UnseenStarts {
  readonly #calls: Calls;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** Terminates a process, as soon as there is a connection. */
  end({ wireId: processId }: NamedProcess): void {
    const ended = this.#calls
      .call('process/terminate', { processId }, { timeoutMs: REQUEST_MS, repeat: true })
      .catch(() => undefined)
      .finally(() => this.#underWay.delete(ended));
    this.#underWay.add(ended);
  }

  /** Resolves once each has ended, or can no longer be reached. */
  async ended(): Promise<void> {
    while (this.#underWay.size > 0) {
      await Promise.all(this.#underWay);
    }
  }
}

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
