/** The tools that agents have. */
export type ToolName =
  | 'exec_command'
  | 'write_stdin'
  | 'read_output'
  | 'wait_for'
  | 'list_sessions'
  | 'stop_session'
  | 'send_signal';

/** A tool as models and their programs know it. It is plain data, so that listing the tools loads nothing. */
export interface ToolDefinition {
  readonly name: ToolName;
  /** For people. */
  readonly title: string;
  /** For models: what it does, what it answers, and when not to use it. */
  readonly description: string;
  /** JSON Schema of its input, an object without further properties. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Whether it changes nothing. People need not be asked then. */
  readonly readOnly: boolean;
}

/** The answer to a call. */
export interface ToolReply {
  /** For the model. */
  readonly text: string;
  /** The same facts for programs: session, state, exit code, cursor and the like; never output. */
  readonly structured: Readonly<Record<string, unknown>>;
  /** Whether the call itself was wrong or failed. A command that fails is not an error. */
  readonly isError: boolean;
  /** Present if the wait goes on with this call. The output so far then counts as unread. */
  readonly unfinished?: UnfinishedCall | undefined;
}

/** An agent: the one that calls tools over one connection. */
export interface Agent {
  /** Identifies the agent: two agents may have the same name. It is never shown. */
  readonly id: string;
  /** As people and models see it. */
  readonly name: string;
  /** Aborted when it has gone for good; absent if that cannot be noticed. */
  readonly gone?: AbortSignal | undefined;
}

/** The caller of a tool. */
export interface ToolCaller {
  readonly agent: Agent;
  /** Ends the call, never the process. */
  readonly signal?: AbortSignal | undefined;
  /** Gets a message now and then while a call waits. */
  readonly progress?: ((message: string) => void) | undefined;
  /** How long the caller waits for an answer, in milliseconds; 55 seconds by default. A longer wait ends then. */
  readonly longestMs?: number | undefined;
  /** Whether a wait that outlasts `longestMs` may go on without this call. Its reply then has `unfinished`. */
  readonly mayGoOn?: boolean | undefined;
}

/** The call that goes on where another one had to stop, as plain data: another program can make it as well. */
export interface UnfinishedCall {
  readonly tool: ToolName;
  readonly input: Readonly<Record<string, unknown>>;
  /** The numbers of the sessions that it waits for. */
  readonly sessions: readonly number[];
  /** When it ends without its condition, in milliseconds since 1970. */
  readonly until: number;
}

/** The tools at work: the sessions of all agents of one host. */
export interface AgentTools {
  readonly definitions: readonly ToolDefinition[];
  /**
   * Never rejects: errors are in the reply.
   *
   * @param input Checked here, even if it was checked before.
   */
  call(name: string, input: unknown, caller: ToolCaller): Promise<ToolReply>;
  /** Releases every process; ends none. */
  dispose(): void;
}
