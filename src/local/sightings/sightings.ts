import type { ProcessIdentity, Sighting, SightingEnd, SightingSource } from '../../core/index.js';

/** A command that an agent has handed over. */
export interface DoorRecord extends ProcessIdentity {
  /** The id of the agent: `claude`. */
  readonly agent: string;
  readonly conversation: string | undefined;
  readonly cwd: string;
  /** The command as the model wrote it. */
  readonly command: string;
  readonly end?: SightingEnd | undefined;
}

/** The commands that agents have handed over: those that run, and the newest that have ended. */
export interface DoorRecords {
  /** Reads what is new. Never throws. */
  read(): readonly DoorRecord[];
}

/** Looks at the processes that are no sessions of ours, and remembers their owners. */
export class Sightings implements SightingSource {
  constructor(door?: DoorRecords) {
    void door;
  }

  look(): Promise<readonly Sighting[]> {
    return Promise.resolve([]);
  }
}
