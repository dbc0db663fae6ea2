import { type Clock, messageOf } from '../core/index.js';

import type { AgentSession } from './agentSession.js';
import { polled, type Condition } from './conditions.js';

const PORT_POLL_MS = 250;

/** Asks the machine of a session whether a port is listened on. It keeps asking while the machine cannot be reached. */
export class PortWatch {
  readonly #session: AgentSession;
  readonly #clock: Clock;
  /** Why the last question had no answer; undefined if it had one. */
  problem: string | undefined;

  constructor(session: AgentSession, clock: Clock) {
    this.#session = session;
    this.#clock = clock;
  }

  listening(port: number): Condition<'port'> {
    const ask = async () => {
      try {
        const yes = await this.#session.hosted.backend.isListening(port);
        this.problem = undefined;
        return yes;
      } catch (error) {
        this.problem = messageOf(error);
        return false;
      }
    };
    return polled(this.#clock, PORT_POLL_MS, ask, 'port');
  }
}
