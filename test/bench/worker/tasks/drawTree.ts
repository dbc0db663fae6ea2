import { never } from '../../../../src/core/index.js';
import type { Session } from '../../../../src/sessions/list/session.js';
import { SessionList } from '../../../../src/sessions/list/sessionList.js';
import { WindowFolders } from '../../../../src/sessions/list/thisWindow.js';
import { ArrangementChoice } from '../../../../src/sessions/tree/arrangement.js';
import type { TreeNode } from '../../../../src/vscode/tree/nodes.js';
import { SessionTree } from '../../../../src/vscode/tree/sessionTree.js';
import { FakeClock } from '../../../support/fakeClock.js';
import { ScriptedBackend } from '../../../support/scriptedBackend.js';

export interface DrawTree {
  /** `count` sessions that have ended. */
  readonly args: { readonly count: number; readonly looks: number };
  /** Milliseconds of processor time, once for each look. */
  readonly result: {
    /** The times until the view is drawn that a person opens. */
    readonly open: readonly number[];
    /** The times from the end of one more session until it is drawn. */
    readonly end: readonly number[];
  };
}

/** Longer than changes are collected and ended rows keep their place, in milliseconds. */
const COLLECTED_MS = 1_200;

/**
 * Draws the extension's own tree as VS Code does. VS Code asks for the children of each open row that has changed, and
 * then for the item of each of them. The sessions have no processes.
 */
export function drawTree({ count, looks }: DrawTree['args']): Promise<DrawTree['result']> {
  return new Drawing().measure(count, looks);
}

class Drawing {
  readonly #clock = new FakeClock(Date.now());
  readonly #backend = new ScriptedBackend(this.#clock);
  readonly #list = new SessionList({
    clock: this.#clock,
    limits: () => ({ endedSessions: Number.POSITIVE_INFINITY, outputBytes: Number.POSITIVE_INFINITY }),
  });
  readonly #tree = new SessionTree(
    this.#list,
    { all: [], engines: [], onDidChange: () => ({ dispose: () => undefined }) },
    this.#clock,
    new ArrangementChoice({ grouping: undefined, elsewhere: undefined }, () => undefined),
    new WindowFolders(() => [], never),
  );
  #changed: (TreeNode | undefined)[] = [];

  constructor() {
    this.#tree.onDidChangeTreeData((node) => this.#changed.push(node));
  }

  async measure(count: number, looks: number): Promise<DrawTree['result']> {
    for (let index = 0; index < count; index++) {
      this.#end(await this.#start());
    }
    this.#clock.advance(COLLECTED_MS);
    const open: number[] = [];
    const end: number[] = [];
    for (let look = 0; look < looks; look++) {
      this.#tree.setVisible(false);
      open.push(
        processorMs(() => {
          this.#tree.setVisible(true);
          this.#drawAll(count + look);
        }),
      );
      const session = await this.#start();
      this.#clock.advance(COLLECTED_MS);
      this.#drawChanged();
      end.push(
        processorMs(() => {
          this.#end(session);
          this.#clock.advance(COLLECTED_MS);
          this.#drawChanged();
        }),
      );
    }
    this.#tree.dispose();
    this.#list.dispose();
    return { open, end };
  }

  #start(): Promise<Session> {
    const environment = { id: 'local', label: 'This machine', backend: this.#backend };
    const origin = { kind: 'user' } as const;
    return this.#list.start(environment, {
      argv: ['npm', 'run', 'build'],
      cwd: '/',
      env: {},
      tty: true,
      origin,
    });
  }

  #end(session: Session): void {
    const process = this.#backend.processes.at(-1);
    if (process?.processId !== session.processId) {
      throw new Error('It is not the last process.');
    }
    process.ends(0);
  }

  #drawAll(count: number): void {
    this.#changed = [];
    const rows = this.#drawChildren(undefined);
    if (rows !== count) {
      throw new Error(`The tree has ${rows} rows in place of ${count}.`);
    }
  }

  #drawChanged(): void {
    const changed = this.#changed;
    this.#changed = [];
    for (const node of changed) {
      if (node !== undefined) {
        this.#tree.getTreeItem(node);
      }
      this.#drawChildren(node);
    }
  }

  /** @returns the number of sessions. */
  #drawChildren(node: TreeNode | undefined): number {
    const children = this.#tree.getChildren(node);
    for (const child of children) {
      this.#tree.getTreeItem(child);
    }
    return children.reduce(
      (sum, child) => sum + (child.kind === 'session' ? 1 : this.#drawChildren(child)),
      0,
    );
  }
}

function processorMs(what: () => void): number {
  const before = process.cpuUsage();
  what();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
