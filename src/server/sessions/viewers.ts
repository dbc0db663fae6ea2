import { Emitter, type ViewState } from '../../core/index.js';

/**
 * The primary viewer of a process, as one viewer sees it: this one, another one, or none, since no viewer shows the
 * process.
 */
export type Standing = 'primary' | 'other' | 'none';

/**
 * The connection sessions that show each process. The one that was the last to have it in focus is the primary one. Its
 * terminal gives the size and answers the program's questions. The next one follows when it shows the process no more.
 */
export class Viewers<V extends object> {
  /** The viewers of each process by its handle: the primary one first. */
  readonly #viewers = new Map<string, readonly V[]>();
  readonly #didChange = new Emitter<string>();
  /** Fires with the handle of a process whose primary viewer is another one, or none. */
  readonly onDidChange = this.#didChange.event;

  set(handle: string, viewer: V, state: ViewState): void {
    const before = this.#viewers.get(handle) ?? [];
    const others = before.filter((other) => other !== viewer);
    switch (state) {
      case 'focused':
        this.#become(handle, [viewer, ...others]);
        break;
      case 'shown':
        this.#become(handle, before.includes(viewer) ? before : [...before, viewer]);
        break;
      case 'none':
        this.#become(handle, others);
    }
  }

  standing(handle: string, viewer: V): Standing {
    const [primary] = this.#viewers.get(handle) ?? [];
    return primary === undefined ? 'none' : primary === viewer ? 'primary' : 'other';
  }

  /** Forgets a viewer that is gone. */
  drop(viewer: V): void {
    for (const handle of this.#viewers.keys()) {
      this.set(handle, viewer, 'none');
    }
  }

  /** Forgets a process that is gone. */
  forget(handle: string): void {
    this.#viewers.delete(handle);
  }

  #become(handle: string, viewers: readonly V[]): void {
    const primary = this.#viewers.get(handle)?.[0];
    if (viewers.length > 0) {
      this.#viewers.set(handle, viewers);
    } else {
      this.#viewers.delete(handle);
    }
    if (viewers[0] !== primary) {
      this.#didChange.fire(handle);
    }
  }
}
