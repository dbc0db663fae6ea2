import * as vscode from 'vscode';

import { noticeLine } from '../../sessions/viewer/index.js';

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
