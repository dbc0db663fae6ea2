/**
 * The public API of the extension Exec Sessions, version 1.
 *
 * ```ts
 * const extension = vscode.extensions.getExtension<ExecSessionsApi>('exec-sessions.exec-sessions');
 * const api = await extension?.activate();
 * const session = await api?.start({ argv: ['npm', 'test'], startedBy: { kind: 'agent', name: 'My Agent' } });
 * ```
 *
 * Everything that can go wrong is an `Error` whose message is for people: what happened, to what, what to do.
 */
import type { CancellationToken, Event } from 'vscode';

export interface ExecSessionsApi {
  /** Grows only when something that is there now changes or goes. */
  readonly version: 1;

  /**
   * Starts a session. It runs on the machine of the workspace's files, or in the environment that is named.
   *
   * Rejects if the workspace is not trusted, if the options are wrong, if the environment cannot be reached, or if the
   * program cannot be started; nothing is left behind then. The focus stays where it is.
   */
  start(options: StartOptions): Promise<ExecSession>;

  /** Where sessions can run: this machine first, whose id is `local`, then the environments of the user's settings. */
  environments(): readonly EnvironmentInfo[];

  /** All sessions of the list, oldest first; ended ones are among them until they are removed. */
  list(): readonly ExecSession[];

  /** A session by its id, or undefined if it is not in the list (any more). */
  get(id: string): ExecSession | undefined;

  /** A session's process has started. Its output may be read from the beginning all the same. */
  readonly onDidStart: Event<ExecSession>;
  /** Something about a session has changed; its output is no such thing. */
  readonly onDidChange: Event<ExecSession>;
  /** The exit status is known. Output may still follow, while a descendant holds the pipe or the terminal. */
  readonly onDidExit: Event<ExecSession>;
  /** Nothing follows any more: the session is `closed` or `lost`. */
  readonly onDidEnd: Event<ExecSession>;
  /** A session has left the list, with its output. What it is asked from now on fails. */
  readonly onDidRemove: Event<ExecSession>;
}

/** An environment now. `lost` and `disconnected` ones are connected by a start in them. */
export interface EnvironmentInfo {
  readonly id: string;
  readonly label: string;
  readonly kind: 'local' | 'websocket' | 'command';
  readonly state: 'disconnected' | 'connecting' | 'connected' | 'recovering' | 'lost';
}

/** What to start. Exactly one of `argv` and `commandLine` is needed. */
export interface StartOptions {
  /** The program and its arguments; no shell is involved. */
  readonly argv?: readonly string[];
  /** One line for the user's shell; in another environment, for that of its server's user. */
  readonly commandLine?: string;
  /** The id of the environment to run in, `local` by default. It is connected if need be. */
  readonly environment?: string;
  /**
   * A directory; a relative one is taken from the first workspace folder, which is the default too. In another
   * environment it is a path of that machine, and the default is for its setting, or its server, to say.
   */
  readonly cwd?: string;
  /** Laid over the environment that VS Code, or the server there, was started with; null takes a variable away. */
  readonly env?: Readonly<Record<string, string | null>>;
  /** True, the default, for a terminal; false for pipes, which keep standard output and error apart. */
  readonly tty?: boolean;
  /** Without a terminal: keep standard input open, to write to. Otherwise the program reads end of file. */
  readonly pipeStdin?: boolean;
  /** What people see in place of the command line. */
  readonly title?: string;
  /** Show its terminal, without the focus. True by default. */
  readonly show?: boolean;
  /** Who starts it: people see this. By default it is "an extension". */
  readonly startedBy?: { readonly kind: 'extension' | 'agent'; readonly name?: string };
}

/** `exited`: output may still follow. `closed`: all is over. `lost`: it can never be reached again. */
export type SessionState = 'starting' | 'running' | 'exited' | 'closed' | 'lost';

/** How a process ended. */
export interface ExitStatus {
  /** What the program returned, or 128 + the number of the signal that ended it. */
  readonly exitCode: number;
  /** The name of that signal, `SIGTERM` for example. */
  readonly signal?: string;
}

/** What is known about a session now. Times are milliseconds since 1970. */
export interface SessionInfo {
  readonly id: string;
  /** Where it runs. */
  readonly environment: { readonly id: string; readonly label: string };
  /** Present while its machine cannot be reached; at the time `until` the session is lost. */
  readonly recovering?: { readonly reason: string; readonly until: number };
  /** What its server cannot do: `resize` a terminal, close a pipe's standard input, `stop` all that it has started. */
  readonly cannot: readonly ('resize' | 'closeStdin' | 'stop')[];
  /** What people called it, if anything. */
  readonly title?: string;
  readonly commandLine: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly tty: boolean;
  readonly pipeStdin: boolean;
  /** Present once its standard input, a pipe, has been closed. */
  readonly inputClosed?: true;
  readonly startedBy: { readonly kind: 'user' | 'extension' | 'agent' | 'other'; readonly name?: string };
  /**
   * Who may type into an agent's session in its terminals: the agent, until a person takes control. Present only for
   * sessions of agents. The commands `execSessions.takeControl` and `execSessions.giveBackControl` take an id.
   */
  readonly controller?: 'agent' | 'person';
  /** Present while an agent's session cannot go on without a person: its program waits for a password or the like. */
  readonly waitsForPerson?: 'secret';
  /** The session that this one repeats. */
  readonly previousId?: string;
  readonly state: SessionState;
  /** A stop is under way. */
  readonly stopping: boolean;
  readonly pid?: number;
  readonly startedAt: number;
  readonly exitedAt?: number;
  readonly closedAt?: number;
  readonly exit?: ExitStatus;
  /** Why it was lost. */
  readonly failure?: string;
  readonly output: {
    /** All bytes so far, kept or not. */
    readonly bytes: number;
    readonly retainedBytes: number;
    /** The oldest output that had to go: how much, and up to which number. */
    readonly evicted: { readonly bytes: number; readonly chunks: number; readonly throughSeq: number };
    /** What never arrived here from another machine; `bytes` of those pieces whose size is known. */
    readonly missing: { readonly chunks: number; readonly bytes: number };
  };
}

/** One piece of output as it was read; it may begin or end in the middle of a character. */
export interface OutputChunk {
  /** Output, the exit and the close of a session are numbered together, from 1, without gaps. */
  readonly seq: number;
  /** A terminal merges standard output and error into `pty`. */
  readonly stream: 'stdout' | 'stderr' | 'pty';
  /** Not to be changed. */
  readonly bytes: Uint8Array;
}

export interface ReadOptions {
  /** Only output with a higher number; 0 by default. */
  readonly afterSeq?: number;
  /** Upper bound of the bytes in one answer; the first chunk always fits. No bound by default. */
  readonly maxBytes?: number;
  /** How long to wait for something to report, in milliseconds; 0 by default. */
  readonly waitMs?: number;
}

export interface ReadResult {
  readonly chunks: readonly OutputChunk[];
  /** Where to go on: the next read asks for what comes after `nextSeq - 1`. */
  readonly nextSeq: number;
  readonly exited: boolean;
  readonly exit?: ExitStatus;
  /** May be true while chunks are left, when `maxBytes` cut the answer: read until there are none. */
  readonly closed: boolean;
  /** Why the session was lost. */
  readonly failure?: string;
  /** Present when some of what was asked for is no longer kept. */
  readonly evicted?: { readonly bytes: number; readonly chunks: number; readonly throughSeq: number };
  /** Present when some of what was asked for never arrived here, oldest first. */
  readonly missing?: readonly {
    readonly fromSeq: number;
    readonly throughSeq: number;
    readonly chunks: number;
    readonly bytes?: number;
  }[];
}

/** What a subscriber is told: each number once, or inside a gap. The last event is `closed` or `failed`. */
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
  /** Only events with a higher number; 0, a replay of all that is kept, by default. */
  readonly afterSeq?: number;
  /**
   * How many bytes may be under way before some are acknowledged. While every subscriber is full the program is held
   * back; one that stays silent for two seconds no longer counts. Without it, everything is delivered at once.
   */
  readonly windowBytes?: number;
}

export interface OutputSubscription {
  dispose(): void;
  /** Says that output up to this number has been dealt with. Needed only with `windowBytes`. */
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
}

/** `accepted` means queued for the program, not read by it. `stdinClosed`: it has no input to write to. */
export type WriteStatus = 'accepted' | 'stdinClosed';

/** One session. All but `id` fail with a clear error once the session has been removed from the list. */
export interface ExecSession {
  readonly id: string;
  info(): SessionInfo;
  /** Reads what is kept with a cursor. Never holds the program back. */
  read(options?: ReadOptions, token?: CancellationToken): Promise<ReadResult>;
  /** A replay of what is kept, then what follows, with no seam. */
  subscribe(listener: (event: OutputEvent) => void, options?: SubscribeOptions): OutputSubscription;
  /**
   * Writes to the terminal or to standard input; text as UTF-8. Enter in a terminal is `\r`. Who controls the session is
   * between its agent and people: an extension can always write.
   */
  write(data: string | Uint8Array): Promise<WriteStatus>;
  /** Ends standard input; in a terminal this is what Ctrl-D does. */
  closeInput(): Promise<void>;
  /** Sets the terminal's size. A terminal that is shown sets it again when it is used. */
  resize(size: { readonly columns: number; readonly rows: number }): Promise<void>;
  /** Sends a signal by its name, `SIGHUP` for example, to the process group. */
  signal(name: string): Promise<void>;
  /** Interrupts, hangs up, terminates and kills, with the graces of the settings, until nothing is left. */
  stop(token?: CancellationToken): Promise<StopReport>;
  /** Kills the whole session at once. */
  kill(): Promise<StopReport>;
  /** Gives it a name; an empty one gives it back its command line. */
  rename(title: string): void;
  /** Opens its terminal. */
  show(options?: { readonly preserveFocus?: boolean }): void;
  /**
   * Takes it off the list, with its output, and throws while it runs. It asks nobody and stops nothing: what an
   * `exited` session has left behind goes on, out of sight, until VS Code ends. To end that as well, `stop` it first.
   */
  remove(): void;
}
