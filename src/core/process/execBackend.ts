import type { BackendCapabilities } from './backendCapabilities.js';
import type { ConnectionState } from './connectionState.js';
import type { EnvPolicy, Variables } from '../envPolicy.js';
import type { Event } from '../events.js';
import type {
  ExecEvent,
  ExitStatus,
  KeptOptions,
  KeptOutput,
  ReadOptions,
  ReadResponse,
} from './execEvents.js';
import type { ExecFailure } from '../failures/index.js';
import type { SubscribeOptions, Subscription } from '../log/logSubscription.js';
import type { LogStats } from '../log/logRecord.js';
import type { InputWait } from './inputWait.js';
import type { ProcessMetadata } from '../metadata.js';
import type { ProcessIdentity } from './processIdentity.js';
import type { PortListener, ProcessUsage } from './processUsage.js';
import type { Sandbox } from './sandbox.js';
import type { ServerProgram } from './serverProgram.js';
import type { SightingSource } from '../sightings/sighting.js';
import type { TaskStore } from './taskStore.js';
import type { TerminalSize } from './terminalSize.js';

/** A change to the metadata of a process that takes effect when the client that asked for it has gone for good. */
interface WhenGone {
  /** Changes key by key; null removes a key. */
  readonly patch?: ProcessMetadata | undefined;
  /** The key that gets the time, in milliseconds since 1970. */
  readonly timeKey?: string | undefined;
}

export interface DescribeOptions {
  /**
   * Takes effect when this client has gone, unless it has described those keys again. A client that comes back gets
   * back what it described before. It has no effect where the processes end with their only client.
   */
  readonly whenGone?: WhenGone | undefined;
  /**
   * Values that the metadata must have once it is changed, key by key. If another client has described those keys
   * differently, nothing is changed: not now, not when this client goes, and not when it comes back.
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
  /** All variables of the child. With `envPolicy`: the variables that are laid over its outcome. */
  readonly env: Variables;
  readonly envPolicy?: EnvPolicy | undefined;
  /** True for a terminal (one stream, `pty`), false for pipes (`stdout` and `stderr`). */
  readonly tty: boolean;
  /** Keep a pipe to standard input. Without it, a process without a terminal reads end of file. */
  readonly pipeStdin?: boolean | undefined;
  /**
   * Without a terminal: give both outputs one pipe, so that all output comes as `stdout`, in the order in which it was
   * written. Without {@link BackendCapabilities.anonymousPipes} the two stay apart.
   */
  readonly stderrToStdout?: boolean | undefined;
  /** The name that the program gets in place of `argv[0]`. */
  readonly arg0?: string | undefined;
  /** The terminal's size at the start; 80 by 24 by default. */
  readonly size?: TerminalSize | undefined;
  readonly metadata?: ProcessMetadata | undefined;
  /**
   * The backend owns the process. It stays, running or ended, until {@link ExecBackend.remove} or the limits of a
   * server remove it; the end of a connection session does not end it. Without {@link BackendCapabilities.ownership} it
   * has no effect.
   */
  readonly owned?: boolean | undefined;
  /** Without {@link BackendCapabilities.sandbox} the start fails. */
  readonly sandbox?: Sandbox | undefined;
  /** The starter's umask and limits, where the backend can set them; those of the backend by default. */
  readonly inherited?: Inherited | undefined;
}

/** A process on POSIX inherits these from its starter, as it does variables and open files. */
export interface Inherited {
  readonly umask: number;
  /** By the letters of `ulimit`, in its units; null for no limit. */
  readonly hardLimits: Readonly<Record<string, number | null>>;
}

/** Everything that a process was asked to start with, except its metadata and what it inherits. */
export type StartedWith = Omit<StartParams, 'processId' | 'metadata' | 'inherited'>;

/**
 * How a client shows a process: `focused` in the terminal that was typed into last, `shown` in any terminal, or not at
 * all.
 */
export type ViewState = 'focused' | 'shown' | 'none';

/** How a terminal takes input. A program that reads a secret keeps line editing on and turns the echo off. */
export interface InputMode {
  /** Whether the terminal hands over whole lines; a line can be edited until then. */
  readonly canonical: boolean;
  /** Whether the terminal shows what is typed. */
  readonly echo: boolean;
  /** Whether the program gets Enter, a carriage return, as a line feed (ICRNL); undefined if that is unknown. */
  readonly enterIsLineFeed?: boolean | undefined;
}

type ProcessState = 'starting' | 'running' | 'exited' | 'closed' | 'failed';

/**
 * The state of one process as its backend knows it now. Times are milliseconds since 1970. A process that was attached
 * to may have ended although its log does not have the end yet.
 */
export interface ProcessInfo {
  readonly processId: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly tty: boolean;
  readonly pipeStdin: boolean;
  readonly state: ProcessState;
  readonly pid?: number;
  readonly startedAt: number;
  readonly exitedAt?: number;
  readonly closedAt?: number;
  readonly exit?: ExitStatus;
  /** The reason why the process can never be reached again. */
  readonly failure?: ExecFailure;
  readonly size?: TerminalSize;
  readonly output: LogStats;
  /** The highest number when this client attached to the process. The log may not have got that far yet. */
  readonly priorSeq?: number;
  readonly metadata: ProcessMetadata;
  /** See {@link StartParams.owned}; absent means no. */
  readonly owned?: boolean;
  /** The sandbox that it runs in. */
  readonly sandbox?: Sandbox;
  /**
   * Whether another client shows the process and has had it in focus later than this one. That client then gives the
   * size and answers the program's questions. Absent means no.
   */
  readonly viewedElsewhere?: boolean;
}

/** Facts about the machine that runs the processes. Paths are that machine's. */
export interface HostInfo {
  /** The platform in Node's words: `linux`, `darwin`, `win32`. */
  readonly platform?: string;
  /** The shell of the user that the processes run as. */
  readonly shell?: { readonly name: string; readonly path: string };
  /** The directory of a command that names no directory. */
  readonly cwd?: string;
  readonly homeDir?: string;
  /** The server that has the processes, if it is a session server that describes itself. */
  readonly server?: ServerProgram;
}

export interface BackendChange {
  /** `changed` covers starting, exit, close, failure, size, metadata and viewers, but not output. */
  readonly type: 'added' | 'changed' | 'removed';
  readonly processId: string;
  /** For `removed`: the process was not removed by a call; its retention time is over. */
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
  /** Ends the ladder: no further step is taken; signals that were already sent keep their effect. */
  readonly signal?: AbortSignal | undefined;
}

/** A process that belonged to another process and has outlived it. */
export interface Survivor extends ProcessIdentity {
  readonly command: string;
  /**
   * With `otherSession`, it made a POSIX session of its own, where no stop reaches it. With `stillRunning`, it belongs
   * to the session and a stop reaches it, but nothing has ended it yet.
   */
  readonly why: 'otherSession' | 'stillRunning';
  /** Whether it is known to hold open the output of a process that has exited. */
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
  /** Set if the processes of the machine could not be listed: there may be more survivors than `survivors` names. */
  readonly survivorsUnknown?: boolean | undefined;
}

/** One caller's hold on a process. While a process is held, its backend does not forget it. */
export interface ExecProcess {
  readonly processId: string;
  /** Fires with the log's highest number after each change of the log. */
  readonly onWake: Event<number>;
  info(): ProcessInfo;
  read(options?: ReadOptions, signal?: AbortSignal): Promise<ReadResponse>;
  subscribe(options: SubscribeOptions, listener: (event: ExecEvent) => void): Subscription;
  /**
   * Reads the output that is kept elsewhere than in memory, up to the newest at the time of the call. Never rejects:
   * for a process that cannot be reached, nothing counts as kept.
   */
  readKept(options: KeptOptions): Promise<KeptOutput>;
  /**
   * The highest number of output that is known to have come before a time, in milliseconds since 1970; 0 if there is no
   * such output. Output with higher numbers may still be a little older than that time. The answer is less exact for
   * times further in the past. Rejects as `unsupported` on a server that cannot tell.
   */
  seqBefore(time: number): Promise<number>;
  /** Queues input. The bytes are not copied: the caller must not change them afterwards. */
  write(bytes: Uint8Array): Promise<WriteStatus>;
  closeStdin(): Promise<void>;
  resize(size: TerminalSize): Promise<void>;
  /**
   * How the process's terminal takes input now; undefined if it has no terminal, has exited, or cannot be asked. A call
   * takes some milliseconds, and programs change the mode at any moment. A program in front of another terminal (ssh,
   * tmux, a container) takes every key itself, so the mode of that terminal is not seen. Rejects as `unsupported` on a
   * server that cannot find out.
   */
  inputMode(): Promise<InputMode | undefined>;
  /**
   * Whether a program of the session waits for input now; undefined if it has exited, or if that cannot be told. It
   * cannot for `sudo`, and on other systems than Linux. Rejects as `unsupported` on a server that cannot find out.
   */
  inputWait(): Promise<InputWait | undefined>;
  /** Sends a signal to the process group. Does nothing to a process that has exited. */
  signal(name: string): Promise<void>;
  /**
   * Kills the process and its POSIX session at once, and reads no more than they have written so far. The process
   * closes even if something outside the session holds its output. `running` is false if it had exited already.
   */
  terminate(): Promise<{ readonly running: boolean }>;
  /** Stops the process step by step, and reports the outcome. */
  stop(options?: StopOptions): Promise<StopReport>;
  /**
   * Looks for processes that an exited process has left, even those that a stop would not reach; empty while the
   * process runs. A look reads the variables of every process of the machine. Rejects as `unsupported` on a server that
   * cannot look.
   */
  survivors(): Promise<readonly Survivor[]>;
  /**
   * The processes that listen at a TCP port of any local address of the machine. No connection is tried. Listeners in
   * another network namespace, as in a container, are not seen. Rejects as `badPort` unless the port is from 1 to
   * 65535, and as `unsupported` on a server that cannot tell.
   */
  listeners(port: number): Promise<readonly PortListener[]>;
  /**
   * The processor time, memory and ports of the process and of everything that belongs to it. Undefined if the process
   * is starting or has exited. A look goes through all processes of the machine. Rejects as `unsupported` on a server
   * that cannot tell, and as `noProcessTable` if the processes cannot be listed now.
   */
  usage(): Promise<ProcessUsage | undefined>;
  /**
   * Ends one of the survivors that `stop` or `survivors` has named, and nothing else: it is asked to terminate, and
   * killed if it does not. Rejects as `noSurvivor` if no survivor of that identity has been named.
   */
  endSurvivor(survivor: ProcessIdentity, options?: StopOptions): Promise<StopReport>;
  /**
   * Changes the metadata key by key; null removes a key. Other keys stay, so several clients can each have their own.
   * Rejects as `metadataTooLarge` if the result would be too large, and as `unsupported` on a server that cannot
   * remember it.
   */
  describe(patch: ProcessMetadata, options?: DescribeOptions): Promise<void>;
  /**
   * Everything that the process was asked to start with, including all its variables. Rejects as `unsupported` if
   * another client has started it and the server cannot tell.
   */
  startedWith(): Promise<StartedWith>;
  /**
   * Says how this client shows the process. The primary client is the one that last had the process in focus, among
   * those that show it (see {@link ProcessInfo.viewedElsewhere}). When it no longer shows the process, or has gone, the
   * next client becomes the primary one. Without other clients that the server knows, nothing happens.
   */
  view(state: ViewState): Promise<void>;
  /** Evicts the oldest retained output until at most `bytes` are left. */
  evictTo(bytes: number): void;
  /** Releases the process: the backend may forget it once it has been closed long enough. */
  release(): void;
}

/**
 * A place where processes run. Every call is asynchronous and may reject with an `ExecError`; a failed call does not
 * affect other processes. Calls by id are for callers that do not hold the process.
 */
export interface ExecBackend {
  readonly capabilities: BackendCapabilities;
  readonly host: HostInfo;
  readonly onDidChange: Event<BackendChange>;
  /** A backend in the caller's own process is always connected. */
  readonly connection: ConnectionState;
  readonly onDidChangeConnection: Event<ConnectionState>;
  /** The tasks of agents, for all clients of a server that keeps them. */
  readonly tasks?: TaskStore | undefined;
  /** The processes of that machine that are no sessions; undefined where they cannot be found. */
  readonly sightings?: SightingSource | undefined;
  /**
   * Starts a process. Rejects without leaving anything if it cannot be started. A terminate or a shutdown during the
   * start cancels it.
   */
  start(params: StartParams): Promise<ExecProcess>;
  /** Creates a hold on an existing process. */
  attach(processId: string): Promise<ExecProcess>;
  list(): Promise<readonly ProcessInfo[]>;
  read(processId: string, options?: ReadOptions, signal?: AbortSignal): Promise<ReadResponse>;
  write(processId: string, bytes: Uint8Array): Promise<WriteStatus>;
  closeStdin(processId: string): Promise<void>;
  resize(processId: string, size: TerminalSize): Promise<void>;
  signal(processId: string, name: string): Promise<void>;
  /**
   * Kills a process by its id. An unknown process counts as not running; a start under way is cancelled and counts as
   * running.
   */
  terminate(processId: string): Promise<{ readonly running: boolean }>;
  stop(processId: string, options?: StopOptions): Promise<StopReport>;
  /**
   * Forgets an exited process and its output, even if a caller holds it. An unknown process counts as forgotten.
   * Rejects as `processRunning` if it has not exited.
   */
  remove(processId: string): Promise<void>;
  /** Like {@link ExecProcess.readKept}, also for a process that an earlier server has lost. */
  readKept(processId: string, options: KeptOptions): Promise<KeptOutput>;
  /**
   * Whether anything on that machine listens at this TCP port. If the system cannot list listeners, a connection to
   * 127.0.0.1 and ::1 is tried and closed. Rejects as `badPort` unless the port is from 1 to 65535, and as
   * `unsupported` on a server that cannot check.
   */
  isListening(port: number): Promise<boolean>;
  /** Stops all processes and forgets them. Nothing can be started afterwards. */
  shutdown(options?: StopOptions): Promise<void>;
}
