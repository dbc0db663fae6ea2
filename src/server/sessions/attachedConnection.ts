import type { ServerWire } from '../../protocol/index.js';
import type { OutputTurns } from './outputTurns.js';

/** The connection that a session is attached to. */
export interface AttachedConnection {
  readonly wire: ServerWire;
  readonly turns: OutputTurns;
  readonly signal: AbortSignal;
  /** Whether its client answers a `server/ping`. */
  answersPings(): boolean;
}
