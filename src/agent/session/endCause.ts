import {
  causeText,
  type Doer,
  endedByAgentsSignal,
  endedByPersonsSignal,
  english,
  type ExitStatus,
  metadataIn,
  oneLine,
  type ProcessInfo,
} from '../../core/index.js';

import type { KnownAgent } from './agents.js';
import type { SessionAgent } from './sessionAgent.js';

type Somebody = KnownAgent | 'person';

/** An action on a session that may end it. */
type Cause =
  | { readonly kind: 'stop'; readonly who: Somebody }
  | { readonly kind: 'signal'; readonly signal: string; readonly who: KnownAgent };

/**
 * The one who has ended a session, as far as that is known: the last one whose action could end it. A session that
 * ended by itself has no cause.
 */
export class EndCause {
  #last: Cause | undefined;

  /** Takes note that somebody begins to stop it while it runs. */
  stopping(who: Somebody): void {
    this.#last = { kind: 'stop', who };
  }

  /** Takes note that it still runs after the stop. That stop is not the cause of a later end. */
  stopFailed(): void {
    this.#last = undefined;
  }

  /** Takes note that an agent has sent it a signal while it ran. */
  signalled(signal: string, who: KnownAgent): void {
    this.#last = { kind: 'signal', signal, who };
  }

  /**
   * The cause of this exit in words; undefined if it is not known.
   *
   * @param info Has the actions of people and of agents of other programs.
   */
  textOf(exit: ExitStatus, info: EndedProcess, reader: SessionAgent): string | undefined {
    const last = this.#last;
    if (last?.kind === 'stop') {
      return `stopped by ${last.who === 'person' ? 'a person' : last.who.nameFor(reader)}`;
    }
    const elsewhere = causeIn(info, exit, reader);
    // A stop by another program comes after a signal of this one that did not end it. An exit by another signal or by
    // none means that it survived this signal.
    return last !== undefined && exit.signal === last.signal && elsewhere?.kind !== 'stop'
      ? `sent by ${last.who.nameFor(reader)}`
      : elsewhere?.text;
  }
}

/** The known facts about a process that may have ended. */
type EndedProcess = Pick<ProcessInfo, 'metadata' | 'exit' | 'exitedAt'>;

/** The one who has ended something, and how. */
interface KnownCause {
  readonly kind: 'stop' | 'signal';
  readonly text: string;
}

/** The one who ended it with this exit, in whatever program, in words for `reader`. */
export function causeIn(info: EndedProcess, exit: ExitStatus, reader: SessionAgent): KnownCause | undefined {
  const stop = metadataIn(info.metadata, 'endedBy');
  if (stop !== undefined) {
    return { kind: 'stop', text: causeText(stop.cause, english, () => nameOf(stop.by, reader)) };
  }
  if (endedByPersonsSignal(info)) {
    return { kind: 'stop', text: 'stopped by a person' };
  }
  return endedByAgentsSignal({ ...info, exit })
    ? { kind: 'signal', text: `sent by ${nameOf(metadataIn(info.metadata, 'signalledBy'), reader)}` }
    : undefined;
}

/** The longest name of an agent that is taken over from elsewhere, in characters. */
const NAME_LENGTH = 60;

/**
 * The name of an agent for `reader`. In a session that was not its own, an agent with the reader's name is shown as
 * another one. Otherwise it may be the reader itself, before a restart.
 */
function nameOf(by: Doer | undefined, reader: SessionAgent): string {
  if (by?.name === undefined) {
    return 'an agent';
  }
  const { id, name, foreign } = by;
  const shown = oneLine(name, NAME_LENGTH);
  return foreign && shown === reader.givenName && id !== reader.id ? `another ${shown}` : shown;
}
