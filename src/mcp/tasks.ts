import { randomUUID } from 'node:crypto';

import type { CallToolResult } from '@modelcontextprotocol/server';

import type { Agent, AgentTools, ToolReply, UnfinishedCall } from '../agent/index.js';
import { type Clock, type Disposable, messageOf, type TaskStore } from '../core/index.js';
import { resultOf } from './callResult.js';
import { logLine } from './cleanText.js';
import { TASK_POLL_MS } from './limits.js';

/** A wait that outlasts its call, as plain data: any process that finds it in the store can answer for it. */
interface Task {
  readonly call: UnfinishedCall;
  /** The name of the agent. */
  readonly agent: string;
  /** In milliseconds since 1970, like `endedAt`. */
  readonly createdAt: number;
  readonly endedAt?: number;
  /** Absent in a task that has ended: it was cancelled. */
  readonly result?: CallToolResult;
}

/** Finds the agent of a client by its name. */
type AgentNamed = (name: string) => Agent | Promise<Agent>;

/** The state of a task for its client. */
type TaskState = ReturnType<typeof described>;

interface TasksOptions {
  readonly tools: Pick<AgentTools, 'call'>;
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/**
 * The tasks of clients (extension `io.modelcontextprotocol/tasks`): they poll a task while their model does nothing.
 *
 * The store has the tasks, and each process that is asked for a task waits for its end. The end that is kept first is
 * the answer for all. A lost task is a completed one whose result is an error. On an error code, Claude Code 2.1.332
 * asks again for minutes and tells its model nothing.
 */
export class Tasks implements Disposable {
  readonly #options: TasksOptions;
  /** The waits of this process, by the ids of their tasks. */
  readonly #waits = new Map<string, AbortController>();
  #disposed = false;

  constructor(options: TasksOptions) {
    this.#options = options;
  }

  /** The answer to a call whose wait goes on: a task, or what there is to say now if there is no room for one. */
  async begin(call: UnfinishedCall, agent: Agent): Promise<CallToolResult> {
    const { store, clock, log } = this.#options;
    const taskId = randomUUID();
    const task: Task = { call, agent: agent.name, createdAt: clock.wallTime() };
    try {
      await store.keep(taskId, JSON.stringify(task), false);
    } catch (error) {
      log(logLine(error, 'a wait cannot become a task'));
      return resultOf(await this.#call({ ...call, until: 0 }, agent));
    }
    this.#wait(taskId, task, agent);
    return { content: [], resultType: 'task', ...described(taskId, task) };
  }

  /** The state of a task. This process now waits for its end, if no process did. */
  async get(taskId: string, agentNamed: AgentNamed): Promise<TaskState> {
    try {
      const task = await this.#read(taskId);
      if (task === undefined) {
        return this.#lost(
          taskId,
          'Nothing is known of this wait: the server that kept it has ended. Its session may go on: list_sessions shows it.',
        );
      }
      if (task.endedAt === undefined) {
        this.#wait(taskId, task, await agentNamed(task.agent));
      }
      return described(taskId, task);
    } catch (error) {
      return this.#lost(taskId, `This wait is lost: ${messageOf(error)}`);
    }
  }

  /** Ends the wait, never its sessions. A task that has ended stays as it is. */
  async cancel(taskId: string): Promise<void> {
    const task = await this.#read(taskId);
    if (task !== undefined) {
      await this.#end(taskId, task);
    }
    this.#waits.get(taskId)?.abort();
  }

  /** Ends the waits of this process. Their tasks stay, for other processes. */
  dispose(): void {
    this.#disposed = true;
    this.#waits.forEach((wait) => wait.abort());
  }

  #wait(taskId: string, task: Task, agent: Agent): void {
    if (!this.#waits.has(taskId) && !this.#disposed) {
      const wait = new AbortController();
      this.#waits.set(taskId, wait);
      this.#waitForEnd(taskId, task, agent, wait.signal)
        .catch((error: unknown) => this.#options.log(logLine(error, 'the end of a task cannot be kept')))
        .finally(() => this.#waits.delete(taskId));
    }
  }

  async #waitForEnd(taskId: string, task: Task, agent: Agent, signal: AbortSignal): Promise<void> {
    const reply = await this.#call(task.call, agent, signal);
    if (!signal.aborted) {
      await this.#end(taskId, { ...task, result: resultOf(reply) });
    }
  }

  #call({ tool, input, until }: UnfinishedCall, agent: Agent, signal?: AbortSignal): Promise<ToolReply> {
    const { tools, clock } = this.#options;
    const longestMs = Math.max(0, until - clock.wallTime());
    const time = tool === 'wait_for' ? { timeout_ms: longestMs } : { yield_time_ms: longestMs };
    return tools.call(tool, { ...input, ...time }, { agent, signal, longestMs });
  }

  async #read(taskId: string): Promise<Task | undefined> {
    const text = await this.#options.store.read(taskId);
    return text === undefined ? undefined : (JSON.parse(text) as Task);
  }

  async #end(taskId: string, task: Task): Promise<void> {
    const { store, clock } = this.#options;
    await store.keep(taskId, JSON.stringify({ ...task, endedAt: clock.wallTime() }), true);
  }

  #lost(taskId: string, text: string): TaskState {
    const now = this.#options.clock.wallTime();
    return described(taskId, { createdAt: now, endedAt: now, result: resultOf({ text, isError: true }) });
  }
}

/** Nothing here says when a task is forgotten, since that is not known: with its server, or for many newer ones. */
function described(taskId: string, task: Omit<Task, 'agent' | 'call'> & Partial<Task>) {
  const { createdAt, endedAt, result } = task;
  return {
    taskId,
    status: endedAt === undefined ? 'working' : result === undefined ? 'cancelled' : 'completed',
    createdAt: timeText(createdAt),
    lastUpdatedAt: timeText(endedAt ?? createdAt),
    ttlMs: null,
    pollIntervalMs: TASK_POLL_MS,
    ...(task.call !== undefined && result === undefined && { statusMessage: messageOn(task.call, endedAt) }),
    ...(result !== undefined && { result }),
  };
}

function messageOn({ sessions, until }: UnfinishedCall, endedAt: number | undefined): string {
  const named = `session${sessions.length === 1 ? '' : 's'} ${sessions.join(', ')}`;
  return endedAt === undefined
    ? `Waits for ${named}, until ${timeText(until)} at the latest.`
    : `The wait was cancelled, and nothing was stopped: stop_session ends ${named}.`;
}

function timeText(time: number): string {
  return new Date(time).toISOString();
}
