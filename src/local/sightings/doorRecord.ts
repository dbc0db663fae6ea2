import type { ProcessIdentity, SightingEnd } from '../../core/index.js';

/** A command that an agent has handed over. */
export interface DoorRecord extends ProcessIdentity {
  /** The id of the agent: `claude`. */
  readonly agent: string;
  readonly conversation: string | undefined;
  /** The number of the agent's process. */
  readonly ppid: number;
  readonly cwd: string;
  /** The command as the model wrote it, cleaned as in {@link Sighting}. */
  readonly command: string;
  readonly end?: SightingEnd | undefined;
}

/** The commands that agents have handed over: those that run, and the newest that have ended. */
export interface DoorRecords {
  /** Reads what is new. Never throws. */
  read(): readonly DoorRecord[];
}
