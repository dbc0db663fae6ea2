import type { BackendChange, Disposable } from '../../core/index.js';
import type { ServerNotificationParams } from '../../protocol/index.js';

export type ProcessChange = ServerNotificationParams<'process/changed'>;

/** A change that waits to be told. */
type Pending = Pick<BackendChange, 'type' | 'expired'>;

interface ChangeFeedOptions {
  /** Describes a process as it is now; undefined if it is gone. */
  readonly describe: (handle: string) => Promise<ProcessChange['process']>;
  /** @param taken Called once the system has taken the message. */
  readonly send: (change: ProcessChange, taken: () => void) => void;
}

/**
 * Tells one client of changes of processes. The changes of one turn are told together, each process once, in its state
 * at that moment. They follow the other messages of that turn: a client that waits for a start or an end has it first.
 * One message at a time is on its way: for a client that does not read, only the names of changed processes are kept.
 */
export class ChangeFeed implements Disposable {
  readonly #options: ChangeFeedOptions;
  readonly #pending = new Map<string, Pending>();
  #telling = false;
  #disposed = false;

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
  }

  changed({ type, processId: handle, expired }: BackendChange): void {
    if (this.#disposed) {
      return;
    }
    const told = type === 'changed' ? (this.#pending.get(handle)?.type ?? type) : type;
    this.#pending.set(handle, { type: told, ...(expired && { expired }) });
    if (!this.#telling) {
      this.#telling = true;
      afterAnswers(() => void this.#tellAll());
    }
  }

  /** Tells of a change at once, before what else waits. */
  async tellNow(handle: string): Promise<void> {
    const pending = this.#pending.get(handle) ?? { type: 'changed' };
    if (!this.#disposed && pending.type !== 'removed') {
      this.#pending.delete(handle);
      await this.#tell(handle, pending, () => undefined);
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.#pending.clear();
  }

  async #tellAll(): Promise<void> {
    for (;;) {
      const [next] = this.#pending;
      if (next === undefined) {
        this.#telling = false;
        return;
      }
      const [handle, pending] = next;
      this.#pending.delete(handle);
      await new Promise<void>((taken) => {
        void this.#tell(handle, pending, taken);
      });
    }
  }

  async #tell(handle: string, { type, expired }: Pending, taken: () => void): Promise<void> {
    if (type === 'removed') {
      this.#options.send({ type, handle, ...(expired && { expired }) }, taken);
      return;
    }
    const process = await this.#options.describe(handle);
    if (process === undefined || this.#disposed) {
      taken();
    } else {
      this.#options.send({ type, handle, process }, taken);
    }
  }
}

/**
 * Calls back once the messages of this turn have been handed to the system. Messages that are written together go at
 * the end of a turn, where the next one is asked for as well.
 */
function afterAnswers(callback: () => void): void {
  setImmediate(() => setImmediate(callback));
}
