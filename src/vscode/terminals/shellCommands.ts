import * as vscode from 'vscode';

import { type Clock, LINE_LENGTH, maskSecrets, oneLine, type SightingEnd } from '../../core/index.js';
import type { Messages } from '../messages.js';

/** A command in a terminal of VS Code that is not ours, as the terminal's shell has reported it. */
export interface ShellCommand {
  readonly id: string;
  /** On one line, without secrets. */
  readonly command: string;
  readonly cwd: string | undefined;
  readonly terminal: Pick<vscode.Terminal, 'show' | 'exitStatus'>;
  /** The number of the shell's process; negative until it is known. */
  shellPid: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly end?: SightingEnd;
}

/** The shortest time that a command runs or has run, in milliseconds. */
const LEAST_MS = 2_000;

/** The number of ended commands that are kept. */
const MOST_ENDED = 20;

/**
 * The commands in terminals that have shell integration, and a process, which ours lack. Output is not read: a late
 * reader gets only what is still to come, and the terminal has it all.
 */
export class ShellCommands implements vscode.Disposable {
  readonly #clock: Clock;
  readonly #messages: Messages;
  /** Those that have ended last are at the end. */
  readonly #known = new Map<vscode.TerminalShellExecution, ShellCommand>();
  #listening: readonly vscode.Disposable[] = [];
  #count = 0;

  constructor(clock: Clock, messages: Messages) {
    this.#clock = clock;
    this.#messages = messages;
  }

  get commands(): readonly ShellCommand[] {
    const latest = this.#clock.wallTime() - LEAST_MS;
    return [...this.#known.values()].filter(({ shellPid, startedAt }) => shellPid > 0 && startedAt <= latest);
  }

  /** Listens to commands that begin from now on, or forgets all. */
  follow(on: boolean): void {
    const { window } = vscode;
    if (!on) {
      this.dispose();
    } else if (this.#listening.length === 0) {
      this.#listening = [
        window.onDidStartTerminalShellExecution((started) => this.#began(started)),
        window.onDidEndTerminalShellExecution(({ execution, exitCode }) => this.#ended(execution, exitCode)),
        // VS Code reports no end of a command whose terminal closes.
        window.onDidCloseTerminal((closed) =>
          [...this.#known]
            .filter(([, { terminal, end }]) => terminal === closed && end === undefined)
            .forEach(([execution]) => this.#ended(execution, undefined)),
        ),
      ];
    }
  }

  /** Shows the terminal of a command, or tells that it is closed. */
  show(id: string): void {
    const { terminal } = this.commands.find((one) => one.id === id) ?? {};
    if (terminal?.exitStatus === undefined) {
      terminal?.show();
    } else {
      this.#messages.tell(vscode.l10n.t('The terminal of this command is closed.'));
    }
  }

  dispose(): void {
    vscode.Disposable.from(...this.#listening).dispose();
    this.#listening = [];
    this.#known.clear();
  }

  #began({ terminal, execution }: vscode.TerminalShellExecutionStartEvent): void {
    const started = {
      id: `shell:${++this.#count}`,
      shellPid: -1,
      startedAt: this.#clock.wallTime(),
      terminal,
    };
    const command: ShellCommand = { ...started, ...described(execution) };
    this.#known.set(execution, command);
    // VS Code has a negative number for a terminal without a process.
    void terminal.processId.then((pid = -1) => (command.shellPid = pid));
  }

  #ended(execution: vscode.TerminalShellExecution, exitCode: number | undefined): void {
    const started = this.#known.get(execution);
    const at = this.#clock.wallTime();
    this.#known.delete(execution);
    if (started !== undefined && at - started.startedAt >= LEAST_MS) {
      this.#known.set(execution, { ...started, ...described(execution), end: { at, exitCode } });
      const ended = [...this.#known].filter(([, { end }]) => end !== undefined);
      ended.slice(0, -MOST_ENDED).forEach(([oldest]) => this.#known.delete(oldest));
    }
  }
}

/** The shell knows the command best once it has ended. */
function described({ commandLine, cwd }: vscode.TerminalShellExecution) {
  const clean = (text: string) => oneLine(maskSecrets(text), LINE_LENGTH);
  return { command: clean(commandLine.value), cwd: cwd && clean(cwd.fsPath) };
}
