import type { Terminal } from 'vscode';

import type { Clock, Disposable } from '../../core/index.js';
import type { Session } from '../../sessions/list/index.js';
import type { TabName } from '../../sessions/viewer/index.js';

/** How often the names of tabs are looked at, in milliseconds: nothing tells of a new one. */
const LOOK_MS = 250;

/** A terminal of ours, with what is known of its name. */
export interface NamedTab {
  readonly terminal: Pick<Terminal, 'name'>;
  readonly tabName: TabName;
  readonly session: Session;
}

/** Gives sessions the names that people give to their tabs, as long as there are any. */
export class TabNames implements Disposable {
  readonly #tabs: () => readonly NamedTab[];
  readonly #renamed: () => void;
  readonly #clock: Clock;
  #timer: Disposable | undefined;

  /** @param renamed Called when a tab has another name, whoever has given it. */
  constructor(tabs: () => readonly NamedTab[], renamed: () => void, clock: Clock) {
    this.#tabs = tabs;
    this.#renamed = renamed;
    this.#clock = clock;
  }

  /** Begins to look, until there is no tab any more. */
  follow(): void {
    this.#timer ??= this.#clock.after(LOOK_MS, () => {
      this.#timer = undefined;
      const tabs = this.#tabs();
      const renamed = tabs.filter(({ tabName, terminal }) => tabName.seen !== terminal.name);
      for (const tab of renamed) {
        look(tab);
      }
      if (renamed.length > 0) {
        this.#renamed();
      }
      if (tabs.length > 0) {
        this.follow();
      }
    });
  }

  dispose(): void {
    this.#timer?.dispose();
  }
}

function look({ terminal, tabName, session }: NamedTab): void {
  const name = tabName.look(terminal.name);
  if (name !== undefined) {
    session.rename(name === session.commandLine ? '' : name);
  }
}
