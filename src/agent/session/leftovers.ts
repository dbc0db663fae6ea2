import { type Clock, delay, type ProcessInfo, type Survivor } from '../../core/index.js';

import { comes, firstOf, timePasses } from '../wait/conditions.js';
import type { HostedProcess } from '../host.js';

/** Processes that end together with a session may take this long, in milliseconds. They do not count as left. */
const ENDING_MS = 100;
/** The longest time that an answer waits for a look, in milliseconds. */
const LOOK_MS = 1_000;

/** A session that may leave something running. */
interface LeavingSession extends Pick<HostedProcess, 'backend' | 'survivors'> {
  info(): ProcessInfo;
}

/** The processes that a process has left running, as far as agents are told. */
export class Leftovers {
  readonly #session: LeavingSession;
  readonly #clock: Clock;
  #known: readonly Survivor[] = [];

  constructor(session: LeavingSession, clock: Clock) {
    this.#session = session;
    this.#clock = clock;
  }

  get known(): readonly Survivor[] {
    return this.#known;
  }

  /** Takes note of what agents are told. */
  told(survivors: readonly Survivor[]): void {
    this.#known = survivors;
  }

  /** Looks once the process has ended. Does nothing where the machine cannot tell. */
  async look(): Promise<void> {
    const { backend } = this.#session;
    const { exit, exitedAt = 0 } = this.#session.info();
    const reachable = backend.connection.kind === 'connected';
    if (exit === undefined || !reachable || !backend.capabilities.survivors) {
      return;
    }
    await this.#lookOnce();
    if (this.#known.length > 0 && this.#clock.wallTime() - exitedAt < ENDING_MS) {
      await delay(this.#clock, ENDING_MS);
      await this.#lookOnce();
    }
  }

  async #lookOnce(): Promise<void> {
    const look = this.#session.survivors().then(
      (survivors) => (this.#known = survivors),
      // Its machine cannot tell, or cannot be reached now. The state says the latter.
      () => undefined,
    );
    await firstOf([comes(look), timePasses(this.#clock, LOOK_MS, undefined)]);
  }
}
