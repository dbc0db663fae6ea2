import { constants } from 'node:os';

import { ExitCode } from './exitCodes.js';

/** An error in words for people, which say what to do next, and the exit code that stands for it. */
export class CliError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = ExitCode.failed) {
    super(message);
    this.name = 'CliError';
    this.exitCode = exitCode;
  }
}

/** A signal is to end this program, with the exit code that shells give for it. Nothing more is waited for. */
export class EndedBySignal extends Error {
  readonly exitCode: number;

  constructor(signal: NodeJS.Signals) {
    super(`ended by ${signal}`);
    this.exitCode = 128 + constants.signals[signal];
  }
}
