import { ExecError } from '../errors.js';

/**
 * Keeps the tasks of agents: waits that outlast the call of a tool. The id of a task is the only key to it, and
 * impossible to guess. The meaning of the text is known to the room `mcp` alone.
 */
export interface TaskStore {
  /**
   * Keeps a text for a task, in place of the one before. A final text stays: the first one wins.
   *
   * @returns the text that is kept now.
   * @throws ExecError if there is no room for another task.
   */
  keep(taskId: string, text: string, isFinal: boolean): Promise<string> | string;
  /** @returns undefined for an unknown task. */
  read(taskId: string): Promise<string | undefined> | string | undefined;
}

interface TaskLimits {
  /** The most tasks. */
  readonly count: number;
  /** The most characters of all tasks; the newest one may exceed it. */
  readonly characters: number;
  /** The most characters of one: more than the longest reply of a tool. */
  readonly charactersOfEach: number;
}

const LIMITS: TaskLimits = {
  count: 10_000,
  characters: 64 * 1024 * 1024,
  charactersOfEach: 4 * 1024 * 1024,
};

/** Keeps tasks as long as this program lives. Where room is needed, the tasks that ended first are forgotten. */
export class TasksInMemory implements TaskStore {
  readonly #limits: TaskLimits;
  /** Those that have ended are in the order of their end. */
  readonly #tasks = new Map<string, { readonly text: string; readonly isFinal: boolean }>();
  #characters = 0;

  constructor(limits: Partial<TaskLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  keep(taskId: string, text: string, isFinal: boolean): string {
    const last = this.#tasks.get(taskId);
    if (last?.isFinal === true) {
      return last.text;
    }
    const { charactersOfEach } = this.#limits;
    if (taskId.length + text.length > charactersOfEach) {
      throw refused(`a task may have at most ${charactersOfEach} characters`);
    }
    this.#forgetEnded();
    if (last === undefined && this.#isFull) {
      throw refused(`${this.#tasks.size} tasks are waiting already`);
    }
    this.#forget(taskId);
    this.#tasks.set(taskId, { text, isFinal });
    this.#characters += taskId.length + text.length;
    return text;
  }

  read(taskId: string): string | undefined {
    return this.#tasks.get(taskId)?.text;
  }

  get #isFull(): boolean {
    return this.#tasks.size >= this.#limits.count || this.#characters >= this.#limits.characters;
  }

  #forgetEnded(): void {
    for (const [taskId, { isFinal }] of this.#isFull ? this.#tasks : []) {
      if (isFinal && this.#isFull) {
        this.#forget(taskId);
      }
    }
  }

  #forget(taskId: string): void {
    const task = this.#tasks.get(taskId);
    if (task !== undefined) {
      this.#tasks.delete(taskId);
      this.#characters -= taskId.length + task.text.length;
    }
  }
}

function refused(reason: string): ExecError {
  return new ExecError({ kind: 'refusedByServer', reason });
}

/**
 * A store that is found anew at each use. Without one, a task is kept in memory, and stays there.
 *
 * @param find May reject, and then the use of the store does.
 */
export function storeWhere(find: () => Promise<TaskStore | undefined>): TaskStore {
  const own = new TasksInMemory();
  const storeOf = async (taskId: string) => (own.read(taskId) === undefined ? ((await find()) ?? own) : own);
  return {
    keep: async (taskId, ...task) => (await storeOf(taskId)).keep(taskId, ...task),
    read: async (taskId) => (await storeOf(taskId)).read(taskId),
  };
}
