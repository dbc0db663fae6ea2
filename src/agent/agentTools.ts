import {
  type Clock,
  countedNumbers,
  type Disposable,
  Emitter,
  type Event,
  messageOf,
  onAbort,
  type PastOutputs,
  type SessionNumbers,
  systemClock,
} from '../core/index.js';

import { Agents, type KnownAgent } from './session/agents.js';
import { checkToolInput } from './input/checkToolInput.js';
import { toolDefinitions } from './definitions.js';
import type { AgentHost } from './host.js';
import { isToolName, type ToolInput } from './input/toolSpecs.js';
import { errorReply, replyOf, type Answer } from './tools/reply.js';
import { DEFAULT_SESSION_LIMITS, AgentSessions, type SessionLimits } from './session/agentSessions.js';
import { PastSessions, type ReadReceipts } from './session/pastSessions.js';
import { stateText } from './session/stateText.js';
import { Patterns } from './text/index.js';
import type { AgentTools, ToolCaller, ToolName, ToolReply } from './tool.js';
import { CallCancelled, ToolError } from './toolError.js';
import { execSomewhere } from './tools/execInSeveral.js';
import { listSessions } from './tools/listSessions.js';
import { portHolderText } from './tools/portHolder.js';
import { readOutput } from './tools/readOutput.js';
import { sendSignal } from './tools/sendSignal.js';
import { stopSession } from './tools/stopSession.js';
import type { LeftProcess, ToolCall, ToolContext } from './tools/toolCall.js';
import { waitFor } from './tools/waitFor.js';
import { writeStdin } from './tools/writeStdin.js';

/** How long callers wait for an answer, in milliseconds: most clients give up on a call after a minute. */
const LONGEST_CALL_MS = 55_000;
/** How much longer a call takes at most, in milliseconds. */
const OVERDUE_MS = 3_000;

/** The most sessions whose end a reply tells beside its own subject. */
const MOST_ENDED = 5;

interface AgentToolsOptions {
  readonly host: AgentHost;
  readonly clock?: Clock | undefined;
  readonly limits?: Partial<SessionLimits> | undefined;
  /** By default numbers from 1 on; other programs may then use the same ones. */
  readonly numbers?: SessionNumbers | undefined;
  /**
   * Finds the processes that ended programs of this machine have left running. May reject. By default it finds nothing.
   */
  readonly leftByOthers?: (() => Promise<readonly LeftProcess[]>) | undefined;
  /** Reads the receipts of sessions that have ended. By default there are none. */
  readonly receipts?: ReadReceipts | undefined;
  /** The output on disk of ended sessions, by the ids of their receipts. By default it has nothing. */
  readonly pastOutputs?: PastOutputs | undefined;
}

type Tools = {
  readonly [N in ToolName]: (context: ToolContext, input: ToolInput<N>, call: ToolCall) => Promise<Answer>;
};

const tools: Tools = {
  exec_command: execSomewhere,
  write_stdin: writeStdin,
  read_output: readOutput,
  wait_for: waitFor,
  list_sessions: listSessions,
  stop_session: stopSession,
  send_signal: sendSignal,
};

/** Generic, so that the compiler connects a name with its input. */
function run<N extends ToolName>(
  name: N,
  context: ToolContext,
  input: ToolInput<N>,
  call: ToolCall,
): Promise<Answer> {
  return tools[name](context, input, call);
}

/** The tools over the sessions of one host, for any number of agents at once. */
export function createAgentTools(options: AgentToolsOptions): AgentTools {
  return new SessionTools(options);
}

class SessionTools implements AgentTools {
  readonly definitions = toolDefinitions;
  readonly #context: ToolContext;
  readonly #sessions: AgentSessions;
  readonly #agents: Agents;
  readonly #clock: Clock;
  readonly #disposal = new Emitter<void>();
  #disposed = false;

  constructor({
    host,
    clock = systemClock,
    limits = {},
    numbers = countedNumbers(),
    leftByOthers,
    receipts,
    pastOutputs,
  }: AgentToolsOptions) {
    this.#clock = clock;
    const past = new PastSessions(receipts, pastOutputs);
    this.#sessions = new AgentSessions({
      host,
      clock,
      limits: { ...DEFAULT_SESSION_LIMITS, ...limits },
      numbers,
      past,
    });
    this.#agents = new Agents(clock);
    this.#context = {
      host,
      sessions: this.#sessions,
      clock,
      patterns: new Patterns(),
      past,
      leftByOthers: leftByOthers ?? (() => Promise.resolve([])),
    };
  }

  async call(name: string, input: unknown, caller: ToolCaller): Promise<ToolReply> {
    if (!isToolName(name)) {
      const names = toolDefinitions.map((definition) => definition.name).join(', ');
      return errorReply(`There is no tool called ${name}. The tools are ${names}.`, { warnings: [] });
    }
    if (this.#disposed) {
      return errorReply(`${name} was not called: the program that runs the sessions is shutting down.`, {
        warnings: [],
      });
    }
    return this.#callKnown(name, input, caller);
  }

  /** Ends the calls that wait, and releases every process. */
  dispose(): void {
    this.#disposed = true;
    this.#disposal.fire();
    this.#disposal.dispose();
    this.#sessions.dispose();
  }

  async #callKnown(name: ToolName, input: unknown, caller: ToolCaller): Promise<ToolReply> {
    const startedAt = this.#clock.now();
    const { progress } = caller;
    const checked = checkToolInput(name, input);
    if (!checked.ok) {
      return errorReply(checked.error, { warnings: [] });
    }
    const agent = this.#agents.know(caller.agent, () => this.#sessions.owners());
    const aborts = new Aborts(caller.signal, this.#disposal.event);
    const { longestMs = LONGEST_CALL_MS, mayGoOn = false } = caller;
    const call: ToolCall = { agent, signal: aborts.signal, progress, startedAt, longestMs, mayGoOn };
    const about = () => {
      const wallMs = Math.round(this.#clock.now() - startedAt);
      return { agent, wallMs, now: this.#clock.wallTime() };
    };
    try {
      const answer = await this.#inTime(
        name,
        run(name, this.#context, checked.input, call),
        aborts,
        Math.min(longestMs, askedMs(checked.input)) + OVERDUE_MS,
      );
      if (answer.unfinished !== undefined) {
        // All news stays for the call in which the wait goes on.
        return replyOf(answer, { ...about(), warnings: checked.warnings, meanwhile: undefined });
      }
      // Each answer tells this with the state, because no event reports the end of a left process.
      await answer.session?.lookForSurvivors();
      const warnings = [...checked.warnings, ...this.#news(agent, answer)];
      const holder = await portHolderText(answer, this.#context);
      answer.session?.stateToldTo(agent);
      const lines = [...(answer.lines ?? []), ...(holder === undefined ? [] : [holder])];
      const meanwhile = this.#meanwhile(agent, answer.session?.id);
      return replyOf({ ...answer, lines }, { ...about(), warnings, meanwhile });
    } catch (error) {
      if (error instanceof CallCancelled) {
        // The caller does not see this reply, so the news stays for the next one.
        return errorReply(cancelledText(name), { warnings: checked.warnings });
      }
      const session = error instanceof ToolError ? error.session : undefined;
      return errorReply(messageOf(error), {
        session,
        warnings: [...checked.warnings, ...this.#news(agent, undefined)],
        meanwhile: this.#meanwhile(agent, session),
      });
    } finally {
      aborts.dispose();
    }
  }

  /** @throws ToolError if a machine that stands still, or cannot be reached, keeps the call from its end. */
  #inTime(name: ToolName, work: Promise<Answer>, aborts: Aborts, limitMs: number): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const limit = this.#clock.after(limitMs, () => {
        reject(new ToolError(`${name} was given up: the machine of the session does not answer.`));
        aborts.abort();
      });
      void work.then(resolve, reject).finally(() => limit.dispose());
    });
  }

  /** The actions of others on the sessions of an agent since its last reply. */
  #news(agent: KnownAgent, answer: Answer | undefined): readonly string[] {
    const sessions = new Set(this.#sessions.list(agent));
    if (answer?.session !== undefined) {
      sessions.add(answer.session);
    }
    return [...sessions].flatMap((session) => session.news(agent));
  }

  /**
   * How sessions of an agent have ended since its last reply, if any has, on one line. It counts as told then.
   *
   * @param subject The session of the reply, which is told by itself.
   */
  #meanwhile(agent: KnownAgent, subject: number | undefined): string | undefined {
    const ended = this.#sessions
      .list(agent)
      .filter((session) => session.id !== subject && session.hasEndedUntold(agent));
    const texts = ended.map((session) => {
      session.stateToldTo(agent);
      return `${session.shortName} ${stateText(session, this.#clock.wallTime(), agent)}`;
    });
    const more = texts.length - MOST_ENDED;
    const named = texts.slice(0, MOST_ENDED).join('; ');
    return ended.length === 0 ? undefined : more > 0 ? `${named}; ${more} more have ended` : named;
  }
}

/** How long a call with this input may wait, in milliseconds. */
function askedMs(input: ToolInput<ToolName>): number {
  return Math.max(
    LONGEST_CALL_MS,
    'timeout_ms' in input ? input.timeout_ms : 'yield_time_ms' in input ? input.yield_time_ms : 0,
  );
}

function cancelledText(name: ToolName): string {
  return name === 'exec_command'
    ? 'The call was cancelled. If the command has been started, it goes on: list_sessions shows it.'
    : 'The call was cancelled. The session goes on.';
}

/** Ends a call when its caller or the tools end. One signal for all calls would get too many listeners. */
class Aborts implements Disposable {
  readonly #controller = new AbortController();
  readonly #caller: Disposable;
  readonly #disposal: Disposable;

  constructor(caller: AbortSignal | undefined, onDisposal: Event<void>) {
    this.#caller = onAbort(caller, () => this.abort());
    this.#disposal = onDisposal(() => this.abort());
  }

  abort(): void {
    this.#controller.abort();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  dispose(): void {
    this.#caller.dispose();
    this.#disposal.dispose();
  }
}
