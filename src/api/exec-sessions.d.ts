/**
 * The public API of the extension Exec Sessions, version 1.
 *
 * ```ts
 * const extension = vscode.extensions.getExtension<ExecSessionsApi>('exec-sessions.exec-sessions');
 * const api = await extension?.activate();
 * const session = await api?.start({ argv: ['npm', 'test'], startedBy: { kind: 'agent', name: 'My Agent' } });
 * ```
 *
 * Every failure is an `Error` whose message is for people: what happened, to what, what to do.
 */
import type { CancellationToken, Event } from 'vscode';

export interface ExecSessionsApi {
  /** Grows only when an existing part of the API changes or is removed. */
  readonly version: 1;

  /**
   * Starts a session. It runs on the machine of the workspace's files, or in the named environment. The focus stays
   * where it is.
   *
   * Rejects without leaving anything if the workspace is not trusted, the options are wrong, the environment cannot be
   * reached, or the program cannot be started.
   */
  start(options: StartOptions): Promise<ExecSession>;

  /**
   * The places where sessions can run. This machine comes first, with the id `local`, then the environments of the
   * user's settings.
   */
  environments(): readonly EnvironmentInfo[];

  /** All sessions of the list, oldest first, including the ended ones until they are removed. */
  list(): readonly ExecSession[];

  /** A session by its id; undefined if it is not, or no longer, in the list. */
  get(id: string): ExecSession | undefined;

  /** A session's process has started. A listener can still read its output from the beginning. */
  readonly onDidStart: Event<ExecSession>;
  /** Something about a session other than its output has changed. */
  readonly onDidChange: Event<ExecSession>;
  /** The exit status is known. Output may still follow, while a descendant holds the pipe or the terminal. */
  readonly onDidExit: Event<ExecSession>;
  /** The session is `closed` or `lost`: neither output nor an exit follows. */
  readonly onDidEnd: Event<ExecSession>;
  /** A session has left the list, with its output. All its methods fail from now on. */
  readonly onDidRemove: Event<ExecSession>;
}

/** The present state of an environment. Starting a session in a `lost` or `disconnected` one connects it. */
export interface EnvironmentInfo {
  readonly id: string;
  readonly label: string;
  readonly kind:
    'local' | 'websocket' | 'command' | 'shell' | 'ssh' | 'docker' | 'podman' | 'kubernetes' | 'slurm';
  readonly state: 'disconnected' | 'connecting' | 'connected' | 'recovering' | 'lost';
}

/** The description of a session to start. Exactly one of `argv` and `commandLine` is needed. */
export interface StartOptions {
  /** The program and its arguments; no shell is involved. */
  readonly argv?: readonly string[];
  /** One line for the user's shell; in another environment, for the shell of the server's user. */
  readonly commandLine?: string;
  /** The id of the environment to run in, `local` by default. It is connected if necessary. */
  readonly environment?: string;
  /**
   * The directory to run in. A relative one is resolved against the first workspace folder, which is also the default.
   * In another environment it is a path of that machine. The default there is the `cwd` of the environment's setting,
   * or else the server's own.
   */
  readonly cwd?: string;
  /** Variables that are laid over the variables of VS Code, or of the server there; null removes a variable. */
  readonly env?: Readonly<Record<string, string | null>>;
  /** True, the default, for a terminal; false for pipes. */
  readonly tty?: boolean;
  /**
   * Without a terminal: whether to keep standard input open, so that it can be written to. Otherwise the program reads
   * end of file.
   */
  readonly pipeStdin?: boolean;
  /**
   * Without a terminal: whether standard error has a pipe of its own. True by default, and false for an agent. An
   * agent's two outputs share a pipe: all output comes as `stdout`, in the order in which it was written.
   */
  readonly separateStderr?: boolean;
  /** The name that people see in place of the command line. */
  readonly title?: string;
  /**
   * True for a sandbox: it writes to its directory and `/tmp` alone, and has no network. `write` names more folders.
   * Where that is not possible, nothing starts.
   */
  readonly sandbox?: boolean | { readonly write?: readonly string[]; readonly network?: boolean };
  /** Whether to show its terminal, which does not take the focus. True by default. */
  readonly show?: boolean;
  /**
   * The starter that people see; "an extension" by default. An agent's programs are told to use no pager, and without a
   * terminal no colours; `env` can override that.
   */
  readonly startedBy?: { readonly kind: 'extension' | 'agent'; readonly name?: string };
}

/**
 * The states of a session.
 *
 * - `exited`: output may still follow.
 * - `closed`: nothing follows.
 * - `lost`: the process can never be reached again.
 */
export type SessionState = 'starting' | 'running' | 'exited' | 'closed' | 'lost';

/** How a process ended. */
export interface ExitStatus {
  /** The code that the program returned, or 128 + the number of the signal that ended it. */
  readonly exitCode: number;
  /** The name of that signal, `SIGTERM` for example. */
  readonly signal?: string;
  /** Present if a sandbox seems to have refused something; `file` is what the program's output names. */
  readonly refused?: { readonly file?: string | undefined };
}

/** The present state of a session. Times are milliseconds since 1970. */
export interface SessionInfo {
  readonly id: string;
  /** The environment that it runs in. */
  readonly environment: { readonly id: string; readonly label: string };
  /** Present while its machine cannot be reached and reconnecting is tried. The session is lost at the time `until`. */
  readonly recovering?: { readonly reason: string; readonly until: number };
  /**
   * Abilities that its server lacks: to `resize` a terminal, to close a pipe's standard input, to `stop` everything
   * that the session has started.
   */
  readonly cannot: readonly ('resize' | 'closeStdin' | 'stop')[];
  /** The name that it was given, if any. */
  readonly title?: string;
  readonly commandLine: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly tty: boolean;
  readonly pipeStdin: boolean;
  /** The sandbox that it runs in. The most specific place decides; elsewhere it may read. */
  readonly sandbox?: {
    readonly places: readonly { readonly path: string; readonly access: 'read' | 'write' }[];
    readonly network: boolean;
  };
  /** Present once its standard input, a pipe, has been closed. */
  readonly inputClosed?: true;
  readonly startedBy: { readonly kind: 'user' | 'extension' | 'agent' | 'other'; readonly name?: string };
  /**
   * The side that may type into an agent's session in its terminals: the agent, until a person takes control. Present
   * only for sessions of agents. The commands `execSessions.takeControl` and `execSessions.giveBackControl` take an id.
   */
  readonly controller?: 'agent' | 'person';
  /**
   * Present while an agent's session cannot continue without a person: its program waits for a password or another
   * secret.
   */
  readonly waitsForPerson?: 'secret';
  /** Present while a program asks something in its terminal: its words, and when they were seen first. Linux only. */
  readonly asks?: { readonly question: string; readonly since: number };
  /** The session that this one repeats. */
  readonly previousId?: string;
  readonly state: SessionState;
  /** Whether a stop is under way. */
  readonly stopping: boolean;
  readonly pid?: number;
  readonly startedAt: number;
  readonly exitedAt?: number;
  readonly closedAt?: number;
  readonly exit?: ExitStatus;
  /** The reason why the session was lost. */
  readonly failure?: string;
  readonly output: {
    /** All bytes so far, including those no longer kept. */
    readonly bytes: number;
    readonly retainedBytes: number;
    /**
     * Output that is no longer kept; it is always the oldest. Its size, and its highest number (0 without such output).
     */
    readonly evicted: { readonly bytes: number; readonly chunks: number; readonly throughSeq: number };
    /** Output that never arrived here from another machine; `bytes` counts the pieces of known size. */
    readonly missing: { readonly chunks: number; readonly bytes: number };
  };
}

/** One piece of output as it was read; it may begin or end in the middle of a character. */
export interface OutputChunk {
  /** Output, the exit and the close of a session are numbered together, from 1, without gaps. */
  readonly seq: number;
  /** A terminal merges standard output and error into `pty`. */
  readonly stream: 'stdout' | 'stderr' | 'pty';
  /** Must not be changed. */
  readonly bytes: Uint8Array;
}

export interface ReadOptions {
  /** Only output with a higher number; 0 by default. */
  readonly afterSeq?: number;
  /**
   * Upper bound of the bytes in one answer. At least one chunk is returned, even if it is larger. No bound by default.
   */
  readonly maxBytes?: number;
  /** How long to wait if there is nothing to report yet, in milliseconds; 0 by default. */
  readonly waitMs?: number;
}

export interface ReadResult {
  readonly chunks: readonly OutputChunk[];
  /** The place to continue: the next read asks for the output after `nextSeq - 1`. */
  readonly nextSeq: number;
  readonly exited: boolean;
  readonly exit?: ExitStatus;
  /** May be true while chunks are left if `maxBytes` cut the answer: read on until an answer has no chunks. */
  readonly closed: boolean;
  /** The reason why the session was lost. */
  readonly failure?: string;
  /** Present if some of the requested output is no longer kept: everything that was dropped so far. */
  readonly evicted?: { readonly bytes: number; readonly chunks: number; readonly throughSeq: number };
  /** Present if some of the requested output never arrived here, oldest first. */
  readonly missing?: readonly {
    readonly fromSeq: number;
    readonly throughSeq: number;
    readonly chunks: number;
    readonly bytes?: number;
  }[];
}

/**
 * An event for a subscriber. Events come in the order of their numbers; each number comes once, or lies inside a gap.
 * The last event is `closed` or `failed`.
 */
export type OutputEvent =
  | ({ readonly type: 'output' } & OutputChunk)
  | { readonly type: 'exited'; readonly seq: number; readonly status: ExitStatus }
  | { readonly type: 'closed'; readonly seq: number }
  | {
      readonly type: 'gap';
      readonly fromSeq: number;
      readonly throughSeq: number;
      readonly chunks: number;
      readonly bytes?: number;
    }
  | { readonly type: 'failed'; readonly message: string };

export interface SubscribeOptions {
  /** Only events with a higher number. The default is 0: everything that is kept is replayed. */
  readonly afterSeq?: number;
  /**
   * How many bytes may be delivered and not yet acknowledged. While every subscriber has reached its bound, the program
   * is held back. A subscriber that acknowledges nothing for 15 seconds no longer counts. Without a bound, everything
   * is delivered at once.
   */
  readonly windowBytes?: number;
}

export interface OutputSubscription {
  dispose(): void;
  /** Acknowledges that the output up to this number has been handled. Needed only with `windowBytes`. */
  acknowledge(throughSeq: number): void;
}

/** A process that a stop could not reach, or that outlived it. */
export interface Survivor {
  readonly pid: number;
  readonly command: string;
  /** `otherSession`: it made a POSIX session of its own. `stillRunning`: it outlived the last step. */
  readonly why: 'otherSession' | 'stillRunning';
}

export interface StopReport {
  /** False if there was nothing to stop. */
  readonly running: boolean;
  readonly steps: readonly ('interrupt' | 'hangup' | 'terminate' | 'kill')[];
  readonly exited: boolean;
  readonly survivors: readonly Survivor[];
  /** Set if the processes of the machine could not be listed: there may be more survivors than `survivors` names. */
  readonly survivorsUnknown?: boolean | undefined;
}

/** `accepted` means queued for the program, not read by it. `stdinClosed`: the program has no input to write to. */
export type WriteStatus = 'accepted' | 'stdinClosed';

/** One session. Once it has been removed from the list, all members but `id` fail with an error that says so. */
export interface ExecSession {
  readonly id: string;
  info(): SessionInfo;
  /**
   * Reads the kept output after a number. Never holds the program back. Cancelling ends the wait; the answer then has
   * the output so far.
   */
  read(options?: ReadOptions, token?: CancellationToken): Promise<ReadResult>;
  /**
   * Delivers the kept output and then new output, in order: each number exactly once, or inside a gap. The first call
   * of `listener` comes after this method has returned.
   */
  subscribe(listener: (event: OutputEvent) => void, options?: SubscribeOptions): OutputSubscription;
  /**
   * Writes to the terminal or to standard input; text is sent as UTF-8. Enter in a terminal is `\r`. An extension can
   * always write: only the session's agent and people take turns in controlling it.
   */
  write(data: string | Uint8Array): Promise<WriteStatus>;
  /** Ends standard input; in a terminal this acts as Ctrl-D. */
  closeInput(): Promise<void>;
  /** Sets the terminal's size. A terminal that shows the session sets it again when it is used. */
  resize(size: { readonly columns: number; readonly rows: number }): Promise<void>;
  /** Sends a signal by its name, `SIGHUP` for example, to the process group. */
  signal(name: string): Promise<void>;
  /**
   * Interrupts, hangs up, terminates and kills, with the grace periods of the settings in between, until no process is
   * left. Cancelling ends it at the current step.
   */
  stop(token?: CancellationToken): Promise<StopReport>;
  /** Kills the whole session at once. */
  kill(): Promise<StopReport>;
  /** Gives the session a name; with an empty one it shows its command line again. */
  rename(title: string): void;
  /** Opens its terminal. */
  show(options?: { readonly preserveFocus?: boolean }): void;
  /**
   * Removes the session from the list, with its output; throws while it runs. It asks no question and stops nothing.
   * Processes that an `exited` session has left continue, out of sight, until VS Code ends. To end those as well,
   * `stop` the session first.
   */
  remove(): void;
}
