import type { Event } from '../../core/index.js';
import { LOCAL_ID } from './environment.js';

/** What of a session says to which window it belongs. */
export interface Belonging {
  readonly environment: { readonly id: string };
  /** Whether this window has found it, and not started it. */
  readonly adopted?: boolean;
  /** The folder of the window that has started it. */
  readonly folder?: string | undefined;
  readonly cwd: string;
}

/** The folders of this window, which say which of this machine's sessions are its own. */
export class WindowFolders {
  readonly #all: () => readonly string[];
  /** Fires when folders have come or gone. */
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
   * Whether a session is this window's: it was started here, or for a folder that is open here, or in one where no window
   * has started it. A window without folders has what belongs to none. Another machine's folders cannot be compared with
   * ours, so its sessions are everybody's.
   */
  has({ environment, adopted, folder, cwd }: Belonging): boolean {
    if (adopted !== true || environment.id !== LOCAL_ID) {
      return true;
    }
    const folders = this.#all();
    return folders.length === 0 ? folder === undefined : folders.some((own) => isWithin(folder ?? cwd, own));
  }
}

/** Whether a directory is a folder or below it. */
export function isWithin(directory: string, folder: string): boolean {
  const top = folder.replace(/[/\\]+$/, '');
  return (
    directory === folder || directory === top || ['/', '\\'].some((end) => directory.startsWith(top + end))
  );
}
