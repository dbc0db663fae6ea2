import { constants } from 'node:os';

/** The exit codes of `exec-sessions`, beside those of the sessions that `run`, `attach` and `wait` pass on. */
export const ExitCode = {
  done: 0,
  /** The command did not do its work, or only a part of it. */
  failed: 1,
  usage: 2,
  /** No session is meant, or more than one. */
  noSession: 3,
  /** The time of `wait --timeout` was over, as with timeout(1). */
  timeOver: 124,
  /** `run`, `attach` or `wait` failed, and not the session, as with env(1). */
  ownFailure: 125,
  notExecutable: 126,
  notFound: 127,
  /** The reader of the output has closed it, which is a SIGPIPE for other programs. */
  pipeClosed: 141,
} as const;

/** The text of `--help` about exit codes. */
export const EXIT_CODE_HELP = `
Exit codes:
  0    Done; for run, attach and wait: the exit code of the session
  1    It failed, or was not done in full; search: nothing was found
  2    The command line is wrong
  3    The id fits no session, or more than one
  124  The time of wait --timeout is over
  125  run, attach or wait failed, and not the session
  126  run: the program cannot be executed
  127  run: the program was not found
  128+N  Signal N has ended the session, or only attach or run
  141  The reader of the output has closed it (| head)`;

/** An error in words for people, which say what to do next, and the exit code that stands for it. */
export class CliError extends Error {
  readonly exitCode: number;
  /** The lines that follow the message. */
  readonly list: readonly string[];

  constructor(message: string, exitCode: number = ExitCode.failed, list: readonly string[] = []) {
    super(message);
    this.name = 'CliError';
    this.exitCode = exitCode;
    this.list = list;
  }
}

/** No session fits what a person has typed. */
export class UnknownSession extends CliError {
  readonly selector: string;

  constructor(selector: string, message: string, list?: readonly string[]) {
    super(message, ExitCode.noSession, list);
    this.selector = selector;
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
