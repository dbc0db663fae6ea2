import { type FSWatcher, watch } from 'node:fs';
import path from 'node:path';

import type { Disposable } from '../../core/index.js';

/**
 * Tells which files appear in a folder, and which go, whatever program does it. This asks nothing of the processor
 * while nothing happens. A system may refuse to watch, and a network disk tells only changes from this machine: then
 * the watch is silent.
 */
export class FolderWatch implements Disposable {
  readonly #changed: (file: string) => void;
  #watcher: FSWatcher | undefined;
  #disposed = false;

  /** @param changed Gets the name of the file; maybe several times for one change. */
  constructor(changed: (file: string) => void) {
    this.#changed = changed;
  }

  /** Watches a folder, unless this does so already. */
  follow(folder: string): void {
    if (this.#watcher !== undefined || this.#disposed) {
      return;
    }
    try {
      this.#watcher = watch(folder, { persistent: false }, (event, file) => {
        if (file === path.basename(folder)) {
          // The folder itself has gone: a new folder of this name has to be followed anew.
          this.#end();
        } else if (event === 'rename' && file !== null) {
          this.#changed(file);
        }
      });
      this.#watcher.on('error', () => this.#end());
    } catch {
      this.#end();
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.#end();
  }

  #end(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}
