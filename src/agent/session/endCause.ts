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

/** What somebody did to a session while it ran. */
type Cause =
  | { readonly kind: 'stop'; readonly who: Somebody }
  | { readonly kind: 'signal'; readonly signal: string; readonly who: KnownAgent };

/**
 * Who has ended a session, as far as that is known: the last one who did something that could. A session that ended by
 * itself has no cause.
 */
export class EndCause {
  #last: Cause | undefined;

  /** Somebody begins to stop it, while it runs. */
  stopping(who: Somebody): void {
    this.#last = { kind: 'stop', who };
  }

  /** The stop was over, and it still ran: whatever ends it later was not that. */
  stopFailed(): void {
    this.#last = undefined;
  }

  /** Somebody has sent it a signal, while it ran. */
  signalled(signal: string, who: KnownAgent): void {
    this.#last = { kind: 'signal', signal, who };
  }

  /**
   * The cause of this exit in words; undefined if nobody is known to have ended it.
   *
   * @param info Has what agents of other programs, and people, did to it.
   */
  textOf(exit: ExitStatus, info: EndedProcess, reader: SessionAgent): string | undefined {
    const last = this.#last;
    if (last?.kind === 'stop') {
      return `stopped by ${last.who === 'person' ? 'a person' : last.who.nameFor(reader)}`;
    }
    const elsewhere = causeIn(info, exit, reader);
    // A stop of another program comes after a signal of this one, as long as that did not end it. A program that ends by
    // another signal, or by none, has lived through this one.
    return last !== undefined && exit.signal === last.signal && elsewhere?.kind !== 'stop'
      ? `sent by ${last.who.nameFor(reader)}`
      : elsewhere?.text;
  }
}

/** What is known of a process that may have ended. */
type EndedProcess = Pick<ProcessInfo, 'metadata' | 'exit' | 'exitedAt'>;

/** Who has ended something, and how. */
interface KnownCause {
  readonly kind: 'stop' | 'signal';
  readonly text: string;
}

/** Who is known to have ended it with this exit, whatever program that was in, in words for `reader`. */
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
 * The name of an agent for `reader`. One of the same name is another one if the session was not its own: otherwise it may
 * be the reader itself, before it was started again.
 */
function nameOf(by: Doer | undefined, reader: SessionAgent): string {
  if (by?.name === undefined) {
    return 'an agent';
  }
  const { id, name, foreign } = by;
  const shown = oneLine(name, NAME_LENGTH);
  return foreign && shown === reader.givenName && id !== reader.id ? `another ${shown}` : shown;
}
