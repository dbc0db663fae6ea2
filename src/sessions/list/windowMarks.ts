import type { Session } from './session.js';
import type { WindowFolders } from './windowFolders.js';

/** What people of one window have marked a session with: that it stands at the top, that they are told of its end. */
export type WindowMark = 'pinned' | 'notify';

/**
 * The marks of this window's sessions. They are kept with the process, under the folder of the window: after a reload they
 * are there again, windows of other folders have marks of their own, and they are gone with the session.
 */
export class WindowMarks {
  readonly #sessions: () => readonly Session[];
  readonly #folders: Pick<WindowFolders, 'first'>;

  constructor(sessions: () => readonly Session[], folders: Pick<WindowFolders, 'first'>) {
    this.#sessions = sessions;
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

  /** The ids of all sessions with that mark. */
  ids(mark: WindowMark): ReadonlySet<string> {
    const marked = this.#sessions().filter((session) => this.has(session, mark));
    return new Set(marked.map(({ id }) => id));
  }

  #key(mark: WindowMark): string {
    return `${mark}:${this.#folders.first ?? ''}`;
  }
}
