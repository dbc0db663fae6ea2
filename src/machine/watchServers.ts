import { existsSync, type FSWatcher, watch } from 'node:fs';
import path from 'node:path';

import { type Disposable, type HostVariables, messageOf } from '../core/index.js';
import { isOurs } from './findServers.js';
import { isSocketName } from './machineName.js';
import { privatePlaces } from './privateFolder.js';

export interface ServerWatch extends Disposable {
  /** Whether every change is told. Without that, only looks find the servers that other programs start. */
  readonly complete: boolean;
}

/**
 * Tells when the socket of a session server appears or goes, at any place where there may be one. If a place does not
 * exist yet, its parent is watched until it does. This asks nothing of the processor while nothing happens. Pipes of
 * Windows cannot be watched, and a system may refuse.
 *
 * @param changed Called after each change, maybe several times for one.
 */
export function watchServers(
  env: HostVariables,
  changed: () => void,
  log: (line: string) => void,
): ServerWatch {
  if (process.platform === 'win32') {
    return { complete: false, dispose: () => undefined };
  }
  const places = privatePlaces(env).map((place) => new WatchedPlace(place, changed, log));
  return {
    get complete() {
      return places.every(({ isWatched }) => isWatched);
    },
    dispose: () => places.forEach((place) => place.dispose()),
  };
}

class WatchedPlace implements Disposable {
  readonly #place: string;
  readonly #changed: () => void;
  readonly #log: (line: string) => void;
  /** The folder that is watched: the place, or its parent. */
  #watched: string | undefined;
  #watcher: FSWatcher | undefined;
  #disposed = false;

  constructor(place: string, changed: () => void, log: (line: string) => void) {
    this.#place = place;
    this.#changed = changed;
    this.#log = log;
    this.#follow();
  }

  get isWatched(): boolean {
    return this.#watcher !== undefined;
  }

  dispose(): void {
    this.#disposed = true;
    this.#watcher?.close();
  }

  /**
   * Watches the place, or its parent while there is no such place.
   *
   * @returns whether that is another folder than before.
   */
  #follow(): boolean {
    let moved = false;
    // The folder may appear, or go, between the look and the watch: then the next look finds another one.
    for (let wanted = this.#wanted(); wanted !== this.#watched; wanted = this.#wanted()) {
      this.#watcher?.close();
      this.#watched = wanted;
      moved = true;
      this.#watcher = wanted === undefined ? undefined : this.#watch(wanted);
    }
    return moved;
  }

  #wanted(): string | undefined {
    const parent = path.dirname(this.#place);
    return this.#disposed
      ? undefined
      : [this.#place, parent].find((folder) => (folder === parent ? existsSync(folder) : isOurs(folder)));
  }

  #watch(folder: string): FSWatcher | undefined {
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => this.#onEvent(folder, name));
      watcher.on('error', (error) => {
        this.#watcher = undefined;
        this.#refused(error);
      });
      return watcher;
    } catch (error) {
      this.#refused(error);
      return undefined;
    }
  }

  #onEvent(folder: string, name: string | null): void {
    if (this.#disposed || folder !== this.#watched) {
      return;
    }
    if (name === path.basename(folder)) {
      // The folder itself has gone: a new one of this name would not be watched.
      this.#watched = undefined;
    } else if (folder !== this.#place && name !== path.basename(this.#place)) {
      // Folders for temporary files have many changes that do not matter here.
      return;
    }
    const moved = this.#follow();
    // Changes in a folder before it was watched were told by no event.
    if (moved || (folder === this.#place && (name === null || isSocketName(name)))) {
      this.#changed();
    }
  }

  #refused(error: unknown): void {
    this.#log(
      `${this.#place} cannot be watched, so sessions of other programs there appear later: ${messageOf(error)}.`,
    );
  }
}
