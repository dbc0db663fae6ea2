import { execFile } from 'node:child_process';

import { type StopStep, systemProgram } from '../../core/index.js';
import type { Look, StopTarget } from '../stop/stopLadder.js';

/** Windows has no signals: a terminal can be sent Ctrl-C, and all other processes are ended by force. */
export const WINDOWS_TERMINAL_LADDER: readonly StopStep[] = ['interrupt', 'kill'];
export const WINDOWS_PIPE_LADDER: readonly StopStep[] = ['kill'];

/** A process tree on Windows as the target of a stop; `taskkill /T` finds the members. */
export class WindowsTree implements StopTarget {
  readonly #pid: number;
  readonly #command: string;
  readonly #hasExited: () => boolean;
  readonly #interrupt: () => void;

  constructor(pid: number, command: string, hasExited: () => boolean, interrupt: () => void) {
    this.#pid = pid;
    this.#command = command;
    this.#hasExited = hasExited;
    this.#interrupt = interrupt;
  }

  hasExited(): boolean {
    return this.#hasExited();
  }

  look(): Promise<Look> {
    const root = { pid: this.#pid, pgid: this.#pid, startTime: '', command: this.#command };
    return Promise.resolve({
      members: this.hasExited() ? [] : [root],
      outside: [],
      isAlive: () => !this.hasExited(),
    });
  }

  async send(step: StopStep): Promise<void> {
    if (step === 'interrupt') {
      this.#interrupt();
    } else {
      await killTree(this.#pid);
    }
  }
}

/** Ends a process and its descendants by force; some may have ended already. */
export function killTree(pid: number): Promise<void> {
  return new Promise((resolve) => {
    const taskkill = systemProgram('taskkill.exe', process.env);
    execFile(taskkill, ['/PID', String(pid), '/T', '/F'], { windowsHide: true }, () => resolve());
  });
}
