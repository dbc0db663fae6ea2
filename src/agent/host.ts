import type { Event, ExecBackend, ExecProcess, StopOptions, StopReport } from '../core/index.js';

/** A place where an agent's commands can run. */
export interface AgentEnvironment {
  readonly id: string;
  readonly label: string;
}

/** What an agent wants to run, checked. */
export interface AgentStart {
  /** A line for the shell of the environment, or an argument list that no shell touches. */
  readonly command:
    | { readonly kind: 'commandLine'; readonly commandLine: string }
    | { readonly kind: 'argv'; readonly argv: readonly string[] };
  /** As the agent gave it; relative to the environment's own directory if it is not absolute. */
  readonly cwd?: string | undefined;
  readonly tty: boolean;
  readonly pipeStdin: boolean;
  /** An id of {@link AgentHost.environments}; the first by default. */
  readonly environment?: string | undefined;
  readonly title?: string | undefined;
  /** Which agent it is, as people see it. */
  readonly agent: string;
}

/** Who may type into a session. People can always stop it and look at it. */
export type Controller = 'agent' | 'person';

/** A process of an agent in the place where people see it as well. */
export interface HostedProcess {
  readonly process: ExecProcess;
  /** Asked for what it can do; everything about the process itself goes through `process`. */
  readonly backend: ExecBackend;
  readonly environment: AgentEnvironment;
  /** What people see: the line as it was given, or the quoted argument list. */
  readonly commandLine: string;
  readonly cwd: string;
  readonly title?: string | undefined;
  /** Where there are no people it is always the agent. */
  readonly controller: Controller;
  readonly onDidChangeController: Event<Controller>;
  /** A person, or a limit, has taken it off the list: its output is gone, and the handle has been released. */
  readonly onDidRemove: Event<void>;
  /** A person has begun to stop it. */
  readonly onPersonStops: Event<void>;
  /** As `process.stop`, so that people see it being stopped. */
  stop(options?: StopOptions): Promise<StopReport>;
  /** As `process.closeStdin`; in a terminal it is the key for end of input. */
  closeInput(): Promise<void>;
  /** The agent does not need it any more: what keeps it from here on is the host's own business. */
  release(): void;
}

/** Why a person is wanted at a session. */
export type Attention =
  /** The program has turned off echo: it waits for a password or the like. */
  'secret';

/**
 * Where agents start processes: the session list of the extension, or a backend alone. Rejections are errors whose
 * message can be shown to the model as it is.
 */
export interface AgentHost {
  /** The default first. */
  readonly environments: readonly AgentEnvironment[];
  /** @throws Error, and leaves nothing behind, if it cannot be started. Cancelled by `signal` only while it connects. */
  start(start: AgentStart, signal?: AbortSignal): Promise<HostedProcess>;
  /**
   * Tells people that a session waits for one of them; ended by disposing. Absent where there are no people.
   */
  readonly callPerson?: (hosted: HostedProcess, why: Attention) => { dispose(): void };
}
