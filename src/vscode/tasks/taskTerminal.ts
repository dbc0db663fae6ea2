import * as vscode from 'vscode';

import { type Disposable, DisposableStore } from '../../core/index.js';
import type { Session } from '../../sessions/list/index.js';
import type { SessionPseudoterminal } from '../terminals/sessionPseudoterminal.js';

/**
 * The terminal of a task, whose session ends with the task and the task with the session. It has the name that VS Code
 * gives to a task's terminal.
 */
export class TaskTerminal implements vscode.Pseudoterminal {
  readonly #session: Session;
  readonly #shown: SessionPseudoterminal;
  readonly #opened: () => Disposable;
  readonly #stop: () => void;
  readonly #store = new DisposableStore();

  readonly onDidWrite: vscode.Event<string>;
  readonly onDidOverrideDimensions: vscode.Event<vscode.TerminalDimensions | undefined>;
  readonly onDidClose: vscode.Event<number | undefined>;

  /** @param shown Shows the session, and closes with its exit code. */
  constructor(
    session: Session,
    shown: SessionPseudoterminal,
    options: {
      /** Called when the terminal shows the session; the result is disposed of when it no longer does. */
      opened: () => Disposable;
      /** Stops the session: the task was terminated. */
      stop: () => void;
    },
  ) {
    this.#session = session;
    this.#shown = shown;
    this.#opened = options.opened;
    this.#stop = options.stop;
    this.onDidWrite = shown.onDidWrite;
    this.onDidOverrideDimensions = shown.onDidOverrideDimensions;
    this.onDidClose = shown.onDidClose;
  }

  open(dimensions: vscode.TerminalDimensions | undefined): void {
    this.#store.add(this.#opened());
    this.#store.add(this.onDidClose(() => this.#store.dispose()));
    this.#shown.open(dimensions);
  }

  setDimensions(dimensions: vscode.TerminalDimensions): void {
    this.#shown.setDimensions(dimensions);
  }

  handleInput(data: string): void {
    this.#shown.handleInput(data);
  }

  /** The task was terminated, its terminal closed, or its session has ended. */
  close(): void {
    this.#store.dispose();
    this.#shown.dispose();
    if (!this.#session.ended) {
      this.#stop();
    }
  }
}
