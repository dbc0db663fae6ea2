import type { MarkKey, WindowMark } from '../../core/index.js';

import type { Session, SessionSnapshot } from './session.js';

import type { WindowFolders } from './windowFolders.js';

/**
 * The marks of this window's sessions. They are stored with the process, under the folder of the window. So they
 * survive a reload, differ between windows of other folders, and go with the session.
 */
export class WindowMarks {
  readonly #folders: Pick<WindowFolders, 'first'>;

  constructor(folders: Pick<WindowFolders, 'first'>) {
    this.#folders = folders;
  }

  has(session: Session, mark: WindowMark): boolean {
    return session.record.isMarked(this.#key(mark));
  }

  set(sessions: readonly Session[], mark: WindowMark, on: boolean): void {
    for (const session of sessions) {
      session.record.mark(this.#key(mark), on);
    }
  }

  /** The ids of the sessions that have that mark. */
  ids(sessions: readonly SessionSnapshot[], mark: WindowMark): ReadonlySet<string> {
    const key = this.#key(mark);
    return new Set(sessions.filter(({ marks }) => marks?.includes(key) === true).map(({ id }) => id));
  }

  #key(mark: WindowMark): MarkKey {
    return `${mark}:${this.#folders.first ?? ''}`;
  }
}
