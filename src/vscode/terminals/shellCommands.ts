import * as vscode from 'vscode';

import {
  type Clock,
  type Disposable,
  DisposableStore,
  Emitter,
  LINE_LENGTH,
  maskSecrets,
  oneLine,
} from '../../core/index.js';
import type { Messages } from '../messages.js';

/** A command in a terminal of VS Code that is not ours, as the terminal's shell has reported it. */
export interface ShellCommand {
  readonly id: string;
  /** On one line, without secrets. */
  readonly command: string;
  readonly cwd?: string | undefined;
  /** The number of the shell's process. */
  readonly shellPid: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Milliseconds since 1970. Undefined while it runs. */
  readonly endedAt?: number | undefined;
  /** Undefined while it runs, and if it is unknown. */
  readonly exitCode?: number | undefined;
}

/** The time after which a command that still runs is shown, in milliseconds. */
const SHOWN_AFTER_MS = 2_000;

/** The number of ended commands that are kept. */
const MOST_ENDED = 20;

interface Entry {
  readonly terminal: vscode.Terminal;
  readonly timer: Disposable;
  /** Undefined until it is shown. */
  command?: ShellCommand;
}

/**
 * The commands in terminals that have shell integration, and a process, which ours lack. Output is not read: a late
 * reader gets only what is still to come, and the terminal has it all.
 */
export class ShellCommands implements Disposable {
  readonly #clock: Clock;
  readonly #messages: Messages;
  readonly #didChange = new Emitter<void>();
  /** Those that have ended last are at the end. */
  readonly #entries = new Map<vscode.TerminalShellExecution, Entry>();
  #listening: DisposableStore | undefined;
  #count = 0;

  readonly onDidChange = this.#didChange.event;

  constructor(clock: Clock, messages: Messages) {
    this.#clock = clock;
    this.#messages = messages;
  }

  /** Those that run or ran for two seconds; the newest that have ended are last. */
  get commands(): readonly ShellCommand[] {
    return [...this.#entries.values()].flatMap(({ command }) => (command ? [command] : []));
  }

  /** Listens to commands that begin from now on, or forgets all. */
  follow(on: boolean): void {
    if (on !== (this.#listening !== undefined)) {
      this.#listening?.dispose();
      this.#listening = on ? this.#listen() : undefined;
      this.#entries.forEach(({ timer }) => timer.dispose());
      this.#entries.clear();
      this.#didChange.fire();
    }
  }

  /** Shows the terminal of a command, or tells that it is closed. */
  show(id: string): void {
    const found = [...this.#entries.values()].find(({ command }) => command?.id === id);
    if (found?.terminal.exitStatus === undefined) {
      found?.terminal.show();
    } else {
      this.#messages.tell(vscode.l10n.t('The terminal of this command is closed.'));
    }
  }

  dispose(): void {
    this.#didChange.dispose();
    this.follow(false);
  }

  #listen(): DisposableStore {
    const store = new DisposableStore();
    const { window } = vscode;
    store.add(window.onDidStartTerminalShellExecution((started) => this.#began(started)));
    store.add(
      window.onDidEndTerminalShellExecution(({ execution, exitCode }) => this.#ended(execution, exitCode)),
    );
    store.add(
      window.onDidCloseTerminal((closed) => {
        // VS Code reports no end of its command.
        for (const [execution, { terminal, command }] of [...this.#entries]) {
          if (terminal === closed && command?.endedAt === undefined) {
            this.#ended(execution, undefined);
          }
        }
      }),
    );
    return store;
  }

  #began({ terminal, execution }: vscode.TerminalShellExecutionStartEvent): void {
    const startedAt = this.#clock.wallTime();
    const timer = this.#clock.after(SHOWN_AFTER_MS, () => void this.#appear(execution, startedAt));
    this.#entries.set(execution, { terminal, timer });
  }

  async #appear(execution: vscode.TerminalShellExecution, startedAt: number): Promise<void> {
    const entry = this.#entries.get(execution);
    // VS Code has a negative number for terminals without a process.
    const shellPid = (await entry?.terminal.processId) ?? -1;
    if (entry !== undefined && entry === this.#entries.get(execution) && shellPid > 0) {
      const id = String(++this.#count);
      entry.command = { ...described(execution), id, shellPid, startedAt };
      this.#didChange.fire();
    }
  }

  #ended(execution: vscode.TerminalShellExecution, exitCode: number | undefined): void {
    const entry = this.#entries.get(execution);
    entry?.timer.dispose();
    this.#entries.delete(execution);
    if (entry?.command !== undefined) {
      const endedAt = this.#clock.wallTime();
      const command = { ...entry.command, ...described(execution), endedAt, exitCode };
      this.#entries.set(execution, { ...entry, command });
      const ended = [...this.#entries].filter(([, one]) => one.command?.endedAt !== undefined);
      ended.slice(0, -MOST_ENDED).forEach(([oldest]) => this.#entries.delete(oldest));
      this.#didChange.fire();
    }
  }
}

/** The shell knows the command best once it has ended. */
function described({ commandLine, cwd }: vscode.TerminalShellExecution) {
  return {
    command: oneLine(maskSecrets(commandLine.value), LINE_LENGTH),
    cwd: cwd && oneLine(maskSecrets(cwd.fsPath), LINE_LENGTH),
  };
}
