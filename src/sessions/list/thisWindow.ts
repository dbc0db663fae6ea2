import type { Event, MarkKey, WindowMark } from '../../core/index.js';
import { LOCAL_ID } from './environment.js';
import type { Session } from './session.js';
import type { SessionSnapshot } from './sessionSnapshot.js';

/** The facts of a session that say to which window it belongs. */
export interface Belonging {
  readonly environment: { readonly id: string };
  /** Whether this window found the session and did not start it. */
  readonly adopted?: boolean;
  /** The folder of the window that has started it. */
  readonly folder?: string | undefined;
  readonly cwd: string;
}

/** The folders of this window, which say which of this machine's sessions are its own. */
export class WindowFolders {
  readonly #all: () => readonly string[];
  /** Fires when folders were added or removed. */
  readonly onDidChange: Event<unknown>;

  constructor(all: () => readonly string[], onDidChange: Event<unknown>) {
    this.#all = all;
    this.onDidChange = onDidChange;
  }

  /** The folder that new sessions belong to. */
  get first(): string | undefined {
    return this.#all()[0];
  }

  /**
   * Whether a session is this window's: this window started it, or its folder is open here. If no window started it,
   * its directory counts as its folder. A window without folders has the sessions without a folder. Sessions of other
   * machines belong to every window, since their folders cannot be compared.
   */
  has({ environment, adopted, folder, cwd }: Belonging): boolean {
    if (adopted !== true || environment.id !== LOCAL_ID) {
      return true;
    }
    const folders = this.#all();
    return folders.length === 0 ? folder === undefined : folders.some((own) => isWithin(folder ?? cwd, own));
  }

  /**
   * The folder of a session that people need to be told: one that is not open here, or one of several that are. Among
   * nested folders it is the innermost.
   */
  nameable(session: Belonging): string | undefined {
    const { environment, folder, cwd } = session;
    if (!this.has(session)) {
      return folder ?? cwd;
    }
    const folders = environment.id === LOCAL_ID && this.#all().length > 1 ? this.#all() : [];
    return folders
      .filter((own) => isWithin(cwd, own))
      .toSorted((one, other) => other.length - one.length)
      .at(0);
  }
}

/** Whether a directory is a folder or below it. */
export function isWithin(directory: string, folder: string): boolean {
  const top = folder.replace(/[/\\]+$/, '');
  return (
    directory === folder || directory === top || ['/', '\\'].some((end) => directory.startsWith(top + end))
  );
}

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
