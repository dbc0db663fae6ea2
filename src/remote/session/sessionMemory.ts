import type { ProcessMetadata, Sandbox, TerminalSize } from '../../core/index.js';

/** The facts by which a client finds a process again in its connection session. Servers need not send any of them. */
export interface KnownProcess {
  readonly processId: string;
  /** Its name in the connection session. */
  readonly wireId: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly tty: boolean;
  readonly pipeStdin: boolean;
  readonly size?: TerminalSize | undefined;
  readonly metadata: ProcessMetadata;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  /** Undefined until the start has been answered, and with servers that do not send it. */
  readonly pid?: number | undefined;
  readonly sandbox?: Sandbox | undefined;
}

/** A connection session and its processes. Another client can continue from it while the server keeps the session. */
export interface KnownSession {
  readonly sessionId: string;
  /** How many names were given in it: no other process may get the same one. */
  readonly names: number;
  readonly processes: readonly KnownProcess[];
}

/** Remembers a connection session longer than its client lives. */
export interface SessionMemory {
  read(): KnownSession | undefined;
  /** Replaces what was remembered; undefined if there is nothing to find again. Never throws. */
  write(session: KnownSession | undefined): void;
}

/** Keeps what is remembered in step with the processes of a connection session. */
export class SessionBook {
  readonly #memory: SessionMemory;
  readonly #sessionId: string;
  readonly #processes = new Map<string, KnownProcess>();
  #names = 0;

  constructor(memory: SessionMemory, sessionId: string) {
    this.#memory = memory;
    this.#sessionId = sessionId;
  }

  /**
   * Notes a process, or its facts known so far.
   *
   * @param names How many names were given so far.
   */
  note(process: KnownProcess, names: number): void {
    this.#names = names;
    this.#processes.set(process.wireId, process);
    this.save();
  }

  forget(wireId: string): void {
    if (this.#processes.delete(wireId)) {
      this.save();
    }
  }

  /** Makes the memory contain exactly the noted processes. */
  save(): void {
    const processes = [...this.#processes.values()];
    this.#memory.write(
      processes.length === 0 ? undefined : { sessionId: this.#sessionId, names: this.#names, processes },
    );
  }
}

/**
 * The name of a process on the wire. Servers remember an id longer than we do, so each start gets a new one.
 *
 * @param count Different for each name.
 */
export function wireName(count: number, processId: string): string {
  return `${count}-${processId}`;
}

/** The id of the process with a name made by {@link wireName}. */
export function processIdOf(name: string): string {
  return name.slice(name.indexOf('-') + 1);
}
