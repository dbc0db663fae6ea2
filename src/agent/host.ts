import type {
  BeforeStart,
  Event,
  ExecBackend,
  ExecProcess,
  Launch,
  ProcessInfo,
  SandboxWish,
  StopOptions,
  StopReport,
  Survivor,
} from '../core/index.js';

/** A place where an agent's commands can run. */
export interface AgentEnvironment {
  readonly id: string;
  readonly label: string;
  /** False if it is known that nothing can run on a terminal there. */
  readonly terminals?: false;
}

/** A command that an agent wants to run, checked. Its terminal has 80 by 24 cells by default. */
export interface AgentStart extends Pick<
  Launch,
  'command' | 'tty' | 'pipeStdin' | 'separateStderr' | 'login' | 'size' | 'title'
> {
  readonly env?: Launch['env'] | undefined;
  /** The directory as the agent gave it; relative to the environment's own directory if it is not absolute. */
  readonly cwd?: string | undefined;
  /** An id of {@link AgentHost.environments}; the first by default. */
  readonly environment?: string | undefined;
  readonly sandbox?: SandboxWish | undefined;
  /** The name of the agent, as people see it. */
  readonly agent: string;
  readonly before?: BeforeStart | undefined;
}

/** The side that may type into a session. People can always stop it and look at it. */
export type Controller = 'agent' | 'person';

/** A process of an agent, in the place where people see it as well. */
export interface HostedProcess {
  readonly process: ExecProcess;
  /**
   * Serves for its capabilities and for questions about its machine. Everything about the process itself goes through
   * `process`.
   */
  readonly backend: ExecBackend;
  readonly environment: AgentEnvironment;
  /** The command as people see it: the line as it was given, or the quoted argument list. */
  readonly commandLine: string;
  readonly cwd: string;
  readonly title?: string | undefined;
  /** Always the agent where there are no people. */
  readonly controller: Controller;
  readonly onDidChangeController: Event<Controller>;
  /**
   * Fires when a person or a limit has taken it off the list. Its output is gone then, and the handle has been
   * released.
   */
  readonly onDidRemove: Event<void>;
  /** Fires when a person begins to stop it. */
  readonly onPersonStops: Event<void>;
  /** Fires with what a person types into its terminal, just before it is sent. */
  readonly onPersonTypes: Event<string>;
  /** Like `process.stop`, but people see that it is being stopped. */
  stop(options?: StopOptions): Promise<StopReport>;
  /** Like `process.survivors`, but people see what was found. */
  survivors(): Promise<readonly Survivor[]>;
  /** Like `process.endSurvivor`, but people see that it has ended. */
  endSurvivor(survivor: Survivor, options?: StopOptions): Promise<StopReport>;
  /** Like `process.closeStdin`; on a terminal it types the key for end of input. */
  closeInput(): Promise<void>;
  /** Tells the host that the agent no longer needs it. The host decides how long to keep it. */
  release(): void;
}

/** A session of an agent of another program, or of an earlier life of this one, as its machine lists it. */
export interface FoundSession extends Pick<
  HostedProcess,
  'backend' | 'environment' | 'commandLine' | 'cwd' | 'title' | 'controller'
> {
  readonly info: ProcessInfo;
  /**
   * The processes that it has left running, once it has ended.
   *
   * @throws Error if they cannot be found out.
   */
  survivors(): Promise<readonly Survivor[]>;
  /**
   * Takes hold of its process.
   *
   * @throws Error if the process no longer exists.
   */
  take(): Promise<HostedProcess>;
}

/** The reasons for which a person is called to a session. */
export type Attention =
  /** The program has turned off echo: it waits for a password or the like. */
  'secret';

/**
 * The place where agents start processes: the session list of the extension, or a backend alone. Rejections are errors
 * whose message can be shown to the model unchanged.
 */
export interface AgentHost {
  /** The default first. */
  readonly environments: readonly AgentEnvironment[];
  /** The folder that its sessions belong to. Without it the folders of sessions are not compared. */
  readonly folder?: string | undefined;
  /** A fact about this place that agents have to know, as a sentence. */
  readonly notice?: string | undefined;
  /**
   * Starts a process. `signal` cancels only the connecting.
   *
   * @throws Error if it cannot be started, or the rejection of `before`. Nothing of it runs then.
   */
  start(start: AgentStart, signal?: AbortSignal): Promise<HostedProcess>;
  /** Looks for the sessions of agents that others have started. Never rejects. Absent if there can be none. */
  readonly find?: () => Promise<readonly FoundSession[]>;
  /**
   * Notifies people that a session waits for one of them, until the result is disposed. Absent if there are no people.
   */
  readonly callPerson?: ((hosted: HostedProcess, why: Attention) => { dispose(): void }) | undefined;
  /** Whether people may be away, so that they would not notice such a call. */
  readonly peopleMayBeAway?: boolean | undefined;
}
