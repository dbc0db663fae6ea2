import * as vscode from 'vscode';

import { type Disposable, DisposableStore } from '../../core/index.js';
import type { Session } from '../../sessions/list/index.js';
import type { SessionPseudoterminal } from '../terminals/sessionPseudoterminal.js';
import { noticeLine } from '../../sessions/viewer/index.js';

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

/** The exit code of a task whose session could not be started. A shell uses it for a command that it does not find. */
const NOT_STARTED = 127;

/** The terminal of a task whose session could not be started: says why, and ends the task. */
export class FailedTask implements vscode.Pseudoterminal {
  readonly #reason: string;
  readonly #didWrite = new vscode.EventEmitter<string>();
  readonly #didClose = new vscode.EventEmitter<number>();

  readonly onDidWrite = this.#didWrite.event;
  readonly onDidClose = this.#didClose.event;

  constructor(reason: string) {
    this.#reason = reason;
  }

  /** VS Code accepts no output earlier. */
  open(): void {
    this.#didWrite.fire(noticeLine(this.#reason));
    this.#didClose.fire(NOT_STARTED);
  }

  close(): void {
    this.#didWrite.dispose();
    this.#didClose.dispose();
  }
}
