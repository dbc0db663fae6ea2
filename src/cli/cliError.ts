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
