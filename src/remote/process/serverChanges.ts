import type { BackendChange, ProcessRegistry } from '../../core/index.js';
import type { ProcessDescription, ServerNotificationParams } from '../../protocol/index.js';
import type { Calls } from '../session/resumableConnection.js';
import type { ServerFacts } from '../session/serverFacts.js';
import { isHandle } from './keptDescription.js';
import { MOST_LISTED, pagesOfList } from './othersOnServer.js';
import type { RemoteProcess } from './remoteProcess.js';
import { processIdOf } from '../session/sessionMemory.js';

/**
 * Follows the changes that a server reports of its processes. This backend's own have the names that it has given them;
 * those of other clients have their handles.
 */
export class ServerChanges {
  readonly #registry: ProcessRegistry<RemoteProcess>;
  readonly #fire: (change: BackendChange) => void;
  /** The ids of this backend's own processes by their handles. */
  readonly #own = new Map<string, string>();
  /** The handles of the other processes that the server has reported. */
  readonly #others = new Set<string>();
  /** The descriptions of processes whose starts have not been answered yet. */
  readonly #early = new Map<string, ProcessDescription>();

  /** @param fire Reports a process of another client; this backend has only its id. */
  constructor(registry: ProcessRegistry<RemoteProcess>, fire: (change: BackendChange) => void) {
    this.#registry = registry;
    this.#fire = fire;
  }

  /** Notes the handles of processes of other clients that have been listed. */
  listed(handles: readonly string[]): void {
    handles.forEach((handle) => this.#others.add(handle));
  }

  /** Whether a process of another client is known to exist. */
  knows(handle: string): boolean {
    return this.#others.has(handle);
  }

  /** Called when a process has been started, or its start has failed. */
  settled(processId: string, process: RemoteProcess | undefined): void {
    const said = this.#early.get(processId);
    this.#early.delete(processId);
    if (said !== undefined) {
      process?.told(said);
    }
  }

  changed({ type, handle, process, expired }: ServerNotificationParams<'process/changed'>): void {
    if (type === 'removed') {
      this.#removed(handle, expired === true);
    } else if (process !== undefined) {
      this.#described(process);
    }
  }

  /**
   * Forgets a process that the server has forgotten.
   *
   * @param expired Whether its retention time was over, and no call removed it. Its holders keep what is here.
   */
  #removed(handle: string, expired: boolean): void {
    const processId = this.#own.get(handle) ?? handle;
    this.#own.delete(handle);
    const wasOther = this.#others.delete(handle);
    const entry = this.#registry.get(processId);
    const process = entry?.state === 'started' ? entry.process : undefined;
    if (process !== undefined) {
      if (!expired || process.owned || !process.held) {
        this.#registry.forget(process);
        process.removed();
      }
    } else if (wasOther) {
      this.#fire({ type: 'removed', processId, ...(expired && { expired }) });
    }
  }

  /** Makes up for changes that were not reported while there was no connection. */
  async catchUp(calls: Calls, server: ServerFacts): Promise<void> {
    // Changes announced during the call are not missing in its answer.
    const known = [...this.#own.keys(), ...this.#others];
    const there = new Set<string>();
    for await (const page of pagesOfList(calls, server)) {
      for (const said of page) {
        there.add(said.handle);
        this.#described(said);
      }
      if (there.size > MOST_LISTED) {
        return;
      }
    }
    known.filter((handle) => !there.has(handle)).forEach((handle) => this.#removed(handle, true));
  }

  #described(said: ProcessDescription): void {
    const { handle, processId: name } = said;
    if (name !== undefined) {
      this.#ownDescribed(processIdOf(name), said);
    } else if (this.#others.has(handle)) {
      this.#fire({ type: 'changed', processId: handle });
    } else if (isHandle(handle) && this.#others.size < MOST_LISTED) {
      this.#others.add(handle);
      this.#fire({ type: 'added', processId: handle });
    }
  }

  #ownDescribed(processId: string, said: ProcessDescription): void {
    const { handle } = said;
    const entry = this.#registry.get(processId);
    if (entry === undefined) {
      return;
    }
    if (processId !== handle) {
      this.#own.set(handle, processId);
    }
    if (entry.state === 'started') {
      entry.process.told(said);
    } else {
      this.#early.set(processId, said);
    }
  }
}
