import type { ConnectionState } from './connectionState.js';
import type { EnvPolicy, Variables } from './envPolicy.js';
import type { Event } from './events.js';
import type {
  ExecEvent,
  ExitStatus,
  KeptOptions,
  KeptOutput,
  ReadOptions,
  ReadResponse,
} from './execEvents.js';
import type { ExecFailure } from './failures/index.js';
import type { SubscribeOptions, Subscription } from './logSubscription.js';
import type { LogStats } from './logRecord.js';
import type { ProcessMetadata } from './metadata.js';
import type { PortListener } from './portListener.js';
import type { ProcessIdentity } from './processIdentity.js';
import type { ProcessUsage } from './processUsage.js';
import type { ServerProgram } from './serverProgram.js';

/** The size of a terminal in character cells; both are at least 1. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export const DEFAULT_TERMINAL_SIZE: TerminalSize = { columns: 80, rows: 24 };

/** What becomes of the metadata of a process when the client that says so is gone, with its connection or altogether. */
export interface WhenGone {
  /** Changes key by key; null removes a key. */
  readonly patch?: ProcessMetadata | undefined;
  /** The key that gets the time, in milliseconds since 1970. */
  readonly timeKey?: string | undefined;
}

export interface DescribeOptions {
  /**
   * Done when this client is gone, unless it has described those keys again. A client that comes back has what it
   * described before. It has no effect where the processes end with their only client.
   */
  readonly whenGone?: WhenGone | undefined;
  /**
   * What the metadata has to have once it is changed, key by key. If it has something else, since another client has
   * described those keys, nothing is changed: now, when this client is gone, and when it comes back.
   */
  readonly provided?: ProcessMetadata | undefined;
}

export interface StartParams {
  /** Chosen by the caller and unique within the backend. Any text. */
  readonly processId: string;
  /** The program and its arguments; no shell is involved. A bare name is looked up on the child's PATH. */
  readonly argv: readonly string[];
  /** An existing directory, as an absolute path of the machine that the process runs on. */
  readonly cwd: string;
  /** All variables of the child; with `envPolicy`, the variables that are laid over its outcome. */
  readonly env: Variables;
  readonly envPolicy?: EnvPolicy | undefined;
  /** True for a terminal (one stream, `pty`), false for pipes (`stdout` and `stderr`). */
  readonly tty: boolean;
  /** Keep a pipe to standard input; without it a process without a terminal reads end of file. */
  readonly pipeStdin?: boolean | undefined;
  /**
   * Without a terminal: give both outputs one pipe, so that they come in the order in which they were written, all as
   * `stdout`. Where the backend has no {@link BackendCapabilities.anonymousPipes} they stay apart.
   */
  readonly stderrToStdout?: boolean | undefined;
  /** The name that the program is given in place of `argv[0]`. */
  readonly arg0?: string | undefined;
  /** The terminal's size at the start; 80 by 24 by default. */
  readonly size?: TerminalSize | undefined;
  readonly metadata?: ProcessMetadata | undefined;
  /**
   * The backend owns the process: it stays, running or ended, until {@link ExecBackend.remove} or the limits of a server,
   * and the end of a connection session does not end it. Without {@link BackendCapabilities.ownership} it has no effect.
   */
  readonly owned?: boolean | undefined;
}

/** Everything that a process was asked to start with, its metadata apart. */
export type StartedWith = Omit<StartParams, 'processId' | 'metadata'>;

/**
 * What a client shows of a process: `focused`, in the terminal that was typed into last; `shown`, in any; or nothing.
 */
export type ViewState = 'focused' | 'shown' | 'none';

/** How a terminal takes input. A program that reads a secret keeps line editing on and turns the echo off. */
export interface InputMode {
  /** Whether the terminal hands over whole lines, which can be edited until then. */
  readonly canonical: boolean;
  /** Whether the terminal shows what is typed. */
  readonly echo: boolean;
  /** Whether the program gets Enter, a carriage return, as a line feed (ICRNL); undefined if that is not known. */
  readonly enterIsLineFeed?: boolean | undefined;
}

export type ProcessState = 'starting' | 'running' | 'exited' | 'closed' | 'failed';

/** The state of one process, as its backend knows it now. Times are milliseconds since 1970. */
export interface ProcessInfo {
  readonly processId: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly tty: boolean;
  readonly pipeStdin: boolean;
  readonly state: ProcessState;
  readonly pid?: number;
  readonly startedAt: number;
  /** Known before {@link state} says so for one that had exited before it was attached to. */
  readonly exitedAt?: number;
  readonly closedAt?: number;
  readonly exit?: ExitStatus;
  /** Why it can never be reached again. */
  readonly failure?: ExecFailure;
  readonly size?: TerminalSize;
  readonly output: LogStats;
  readonly metadata: ProcessMetadata;
  /** See {@link StartParams.owned}; absent means no. */
  readonly owned?: boolean;
  /**
   * Whether another client shows it and has shown it in focus later than this one: then that client gives the size and
   * answers the program's questions. Absent means no.
   */
  readonly viewedElsewhere?: boolean;
}

/** The abilities of a backend beyond the base protocol. They are asked for, never assumed. */
export interface BackendCapabilities {
  /** Whether processes can run on terminals. The base protocol has them, but a machine can lack what they need. */
  readonly terminals: boolean;
  readonly resize: boolean;
  readonly initialSize: boolean;
  readonly closeStdin: boolean;
  readonly list: boolean;
  readonly attach: boolean;
  /** Whether `stop` climbs the whole ladder and knows who is left; without it there are only interrupt and kill. */
  readonly stop: boolean;
  /**
   * Whether `survivors` finds processes that have made POSIX sessions of their own, by a variable that they inherit. Not
   * found are those that have cleared or overwritten their variables, or belong to another user.
   */
  readonly survivors: boolean;
  /** Whether `inputMode` can find out the mode. */
  readonly inputMode: boolean;
  /** How `isListening` finds out: by a list of the system, or by trying a connection; false if it cannot. */
  readonly portProbe: 'list' | 'connection' | false;
  /** Whether `listeners` can tell who listens at a port; then nothing is connected to. */
  readonly listeners: boolean;
  /** Whether `usage` can tell what processes use. */
  readonly usage: boolean;
  /**
   * Whether the pipes of children are anonymous pipes, which can be opened by name (`/dev/stderr`), and `stderrToStdout`
   * has an effect. Elsewhere they are what Node gives children: on POSIX, pairs of sockets.
   */
  readonly anonymousPipes: boolean;
  /** Whether `owned` of a start has an effect. */
  readonly ownership: boolean;
  /** Whether `describe` works. Without it, metadata is known to this backend alone. */
  readonly metadata: boolean;
  /** Whether `startedWith` answers for processes that another client has started. */
  readonly startedWith: boolean;
  /**
   * Whether `onDidChange` tells of the processes of other clients as well, and the metadata and the size in `info()` are
   * current whoever changes them.
   */
  readonly changes: boolean;
  /** Whether `view` is told to other clients. */
  readonly views: boolean;
  /**
   * Whether output is kept on disk as well, if `keepOutput` in the metadata of an owned process is true, and `readKept`
   * gives it.
   */
  readonly keptOutput: boolean;
  /** Whether `seqBefore` can tell when output came. */
  readonly outputTimes: boolean;
  /** The signals that `signal` takes. */
  readonly signals: readonly string[];
}

/** Facts about the machine that processes run on. Paths are that machine's. */
export interface HostInfo {
  /** The platform in Node's words: `linux`, `darwin`, `win32`. */
  readonly platform?: string;
  /** The shell of the user that the processes run as. */
  readonly shell?: { readonly name: string; readonly path: string };
  /** The directory of a command that names none. */
  readonly cwd?: string;
  readonly homeDir?: string;
  /** The server that has the processes, if it is a session server that tells of itself. */
  readonly server?: ServerProgram;
}

export interface BackendChange {
  /** `changed` covers starting, exit, close, failure, size, metadata and viewers, but not output. */
  readonly type: 'added' | 'changed' | 'removed';
  readonly processId: string;
  /** Of one that was removed: nobody removed it, but the time is over for which it is kept. */
  readonly expired?: true;
}

/**
 * The outcome of a write. `accepted` means queued for the process, not read by it. `stdinClosed`: the process has no
 * input to write to.
 */
export type WriteStatus = 'accepted' | 'unknownProcess' | 'starting' | 'stdinClosed';

/** A rung of the ladder that stops a process. */
export type StopStep = 'interrupt' | 'hangup' | 'terminate' | 'kill';

export interface StopOptions {
  /**
   * The time to wait after each step before the next one, in milliseconds; 0 skips the step. After `kill` it is the
   * time to confirm the end.
   */
  readonly graceMs?: Partial<Record<StopStep, number>> | undefined;
  /** Ends the ladder: no further step is taken, and signals that were sent stay sent. */
  readonly signal?: AbortSignal | undefined;
}

/** A process that belonged to another one and has outlived it. */
export interface Survivor extends ProcessIdentity {
  readonly command: string;
  /**
   * `otherSession`: it made a POSIX session of its own, where no stop reaches it. `stillRunning`: it belongs to the
   * session, which a stop reaches, but nothing has ended it yet.
   */
  readonly why: 'otherSession' | 'stillRunning';
  /** Whether it is known to hold the output open of a process that has exited. */
  readonly holdsOutput?: boolean | undefined;
}

/** The outcome of stopping a process. */
export interface StopReport {
  /** False if there was nothing to stop. */
  readonly running: boolean;
  /** The steps that were taken, in order. */
  readonly steps: readonly StopStep[];
  /** Whether the process itself is known to have exited. */
  readonly exited: boolean;
  readonly survivors: readonly Survivor[];
  /** Said where the processes of the machine could not be listed: others than those in `survivors` may be left. */
  readonly survivorsUnknown?: boolean | undefined;
}

/** One process that a caller holds. While it is held, its backend does not forget it. */
export interface ExecProcess {
  readonly processId: string;
  /** Fires with the log's highest number after each change of the log. */
  readonly onWake: Event<number>;
  info(): ProcessInfo;
  read(options?: ReadOptions, signal?: AbortSignal): Promise<ReadResponse>;
  subscribe(options: SubscribeOptions, listener: (event: ExecEvent) => void): Subscription;
  /**
   * Reads the output that is kept elsewhere than in memory, the newest included as far as it was there when this was
   * called. Never rejects: nothing is kept of a process that cannot be reached.
   */
  readKept(options: KeptOptions): Promise<KeptOutput>;
  /**
   * The highest number of output that is known to have come before a time, in milliseconds since 1970; 0 if none is. What
   * comes behind it may be a little older, the more so the longer ago that is. Rejects as `unsupported` on a server that
   * cannot tell.
   */
  seqBefore(time: number): Promise<number>;
  /** Queues input. The bytes are not copied: they must not be changed afterwards. */
  write(bytes: Uint8Array): Promise<WriteStatus>;
  closeStdin(): Promise<void>;
  resize(size: TerminalSize): Promise<void>;
  /**
   * The way in which the process's terminal takes input now; undefined if it has no terminal, has exited, or cannot be
   * asked. A call takes some milliseconds, and programs change the mode at any moment. A program in front of another
   * terminal (ssh, tmux, a container) takes every key itself, so the mode of that terminal is not seen. Rejects as
   * `unsupported` on a server that cannot find out.
   */
  inputMode(): Promise<InputMode | undefined>;
  /** Sends a signal to the process group. Does nothing to a process that has exited. */
  signal(name: string): Promise<void>;
  /**
   * Kills the process and its POSIX session at once, and reads no further than what they have written: the process
   * closes even if something outside the session holds its output. `running` is false if it had exited already.
   */
  terminate(): Promise<{ readonly running: boolean }>;
  /** Stops it step by step, and reports what that did. */
  stop(options?: StopOptions): Promise<StopReport>;
  /**
   * Looks for what is left of a process that has exited, whether a stop would reach it or not; empty while it runs. A
   * look reads the variables of every process of the machine. Rejects as `unsupported` on a server that cannot look.
   */
  survivors(): Promise<readonly Survivor[]>;
  /**
   * Who listens at a TCP port of any local address of the machine. Nothing is connected to. Not seen is what listens in
   * another network namespace, as in a container. Rejects as `badPort` unless the port is from 1 to 65535, and as
   * `unsupported` on a server that cannot tell.
   */
  listeners(port: number): Promise<readonly PortListener[]>;
  /**
   * The processor time, the memory and the ports of the process and of what belongs to it; undefined if it has exited or
   * starts. A look goes through all processes of the machine. Rejects as `unsupported` on a server that cannot tell, and
   * as `noProcessTable` where the processes cannot be listed now.
   */
  usage(): Promise<ProcessUsage | undefined>;
  /**
   * Ends one of the survivors that `stop` or `survivors` has named, and nothing else: it is asked to terminate, and killed
   * if it does not. Rejects as `noSurvivor` if none of that identity has been named.
   */
  endSurvivor(survivor: ProcessIdentity, options?: StopOptions): Promise<StopReport>;
  /**
   * Changes the metadata key by key; null removes a key. The keys that are not named stay, so several clients can each
   * have their own. Rejects as `metadataTooLarge` if that would make it too large, and as `unsupported` on a server that
   * cannot remember it.
   */
  describe(patch: ProcessMetadata, options?: DescribeOptions): Promise<void>;
  /**
   * What it was asked to start with, with all its variables. Rejects as `unsupported` if another client has started it
   * and the server cannot tell.
   */
  startedWith(): Promise<StartedWith>;
  /**
   * Says what this client shows of the process. Of all clients that show it, the one that was the last to have it in
   * focus is the primary one, see {@link ProcessInfo.viewedElsewhere}; when it shows it no more, or is gone, the next one
   * is. Nothing happens where there are no other clients, or none that a server knows.
   */
  view(state: ViewState): Promise<void>;
  /** Evicts the oldest retained output until at most `bytes` are left. */
  evictTo(bytes: number): void;
  /** Releases the process: the backend may forget it once it has been closed long enough. */
  release(): void;
}

/**
 * A place where processes run. Every call is asynchronous and may reject with an `ExecError`; none disturbs another
 * process. Calls by id are for callers that do not hold the process.
 */
export interface ExecBackend {
  readonly capabilities: BackendCapabilities;
  readonly host: HostInfo;
  readonly onDidChange: Event<BackendChange>;
  /** A backend in this process is always connected. */
  readonly connection: ConnectionState;
  readonly onDidChangeConnection: Event<ConnectionState>;
  /**
   * Starts a process. Rejects, and leaves nothing behind, if it cannot be started; a terminate or a shutdown while it
   * starts cancels it.
   */
  start(params: StartParams): Promise<ExecProcess>;
  /** Creates a hold on a process that exists. */
  attach(processId: string): Promise<ExecProcess>;
  list(): Promise<readonly ProcessInfo[]>;
  read(processId: string, options?: ReadOptions, signal?: AbortSignal): Promise<ReadResponse>;
  write(processId: string, bytes: Uint8Array): Promise<WriteStatus>;
  closeStdin(processId: string): Promise<void>;
  resize(processId: string, size: TerminalSize): Promise<void>;
  signal(processId: string, name: string): Promise<void>;
  /**
   * Kills a process by its id. An unknown one is not running; one that is starting is cancelled, which counts as
   * running.
   */
  terminate(processId: string): Promise<{ readonly running: boolean }>;
  stop(processId: string, options?: StopOptions): Promise<StopReport>;
  /**
   * Forgets a process that has exited, with its output, whoever holds it. An unknown one is forgotten already. Rejects as
   * `processRunning` if it has not exited.
   */
  remove(processId: string): Promise<void>;
  /** Like that of the process, also of one that an earlier server has lost. */
  readKept(processId: string, options: KeptOptions): Promise<KeptOutput>;
  /**
   * Whether something on that machine listens at this TCP port. Where the system does not list that, a connection to
   * 127.0.0.1 and ::1 is tried and closed. Rejects as `badPort` unless the port is from 1 to 65535, and as `unsupported`
   * on a server that cannot check.
   */
  isListening(port: number): Promise<boolean>;
  /** Stops everything and forgets it. Nothing can be started afterwards. */
  shutdown(options?: StopOptions): Promise<void>;
}
