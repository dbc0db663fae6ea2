import { readFileSync } from 'node:fs';

import { systemClock } from '../../core/index.js';

/**
 * How long to watch for the program to replace our fork, in milliseconds, and the pause between looks. It takes a few
 * milliseconds.
 */
const LIMIT_MS = 1_000;
const LOOK_MS = 1;
/** The text that node-pty's fork writes if it cannot become the program. */
const FAILED = /^(?:execvp|chdir)\(\d\) failed\.: (.*?)\r?\n$/;
const MAY_HAVE_FAILED = /^(?:execvp|chdir)\(\d\) failed\./;
const FIRST_CHARACTERS = 256;

/** A program that exists could not be executed: its interpreter is missing, or the arguments are too long. */
export class ExecFailedError extends Error {}

/** Finds out whether a program has replaced our fork. Linux only. */
export class ExecWatch {
  readonly #pid: number;
  #firstOutput = '';
  #exitCode: number | undefined;
  #onSign: () => void = () => undefined;

  constructor(pid: number) {
    this.#pid = pid;
  }

  /** The fork, or the program, has written something. */
  heard(bytes: Buffer): void {
    if (this.#firstOutput.length < FIRST_CHARACTERS) {
      this.#firstOutput += bytes.toString('latin1', 0, FIRST_CHARACTERS);
      this.#onSign();
    }
  }

  /** The process has exited. All its output was reported here before. */
  exited(code: number): void {
    this.#exitCode = code;
    this.#onSign();
  }

  /**
   * Resolves once the program runs, or has exited.
   *
   * @throws ExecFailedError
   */
  async executed(): Promise<void> {
    const deadline = systemClock.now() + LIMIT_MS;
    while (!this.#hasShown() && systemClock.now() < deadline) {
      await this.#sign();
      if (!this.#hasShown() && this.#isSeen()) {
        break;
      }
    }
    // A program that prints the same words and exits with 1 within the first milliseconds looks the same.
    const reason = this.#exitCode === 1 ? FAILED.exec(this.#firstOutput)?.[1] : undefined;
    if (reason !== undefined) {
      throw new ExecFailedError(reason);
    }
  }

  /** Whether the process table shows the program in place of our fork. */
  #isSeen(): boolean {
    const seen = commandLine(this.#pid);
    return seen !== '' && seen !== ownCommandLine();
  }

  /** Whether it is already known that the program runs, or that it does not. */
  #hasShown(): boolean {
    const said = this.#firstOutput;
    return this.#exitCode !== undefined || (said !== '' && !MAY_HAVE_FAILED.test(said));
  }

  /** Resolves at the next output or the exit, or after a short time. */
  #sign(): Promise<void> {
    return new Promise((resolve) => {
      const timer = systemClock.after(LOOK_MS, resolve);
      this.#onSign = () => {
        timer.dispose();
        resolve();
      };
    });
  }
}

let ownArguments: string | undefined;

function ownCommandLine(): string {
  return (ownArguments ??= commandLine(process.pid));
}

/** The arguments of a process, as the kernel has them; empty once it has ended, or if they may not be read. */
function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}
