/** JSON-RPC error codes of the exec-server wire. */
export const ErrorCode = {
  invalidRequest: -32600,
  invalidParams: -32602,
  internal: -32603,
} as const;

/**
 * What went wrong, as a value that a user interface can put into words of its own language.
 * `program` is what was asked for, `cwd` where.
 */
export type ExecFailure =
  | { readonly kind: 'argvEmpty' }
  | { readonly kind: 'programMissing' }
  | { readonly kind: 'nulCharacter'; readonly where: string }
  | { readonly kind: 'processExists'; readonly processId: string }
  | { readonly kind: 'unknownProcess'; readonly processId: string }
  | { readonly kind: 'processStarting'; readonly processId: string }
  | { readonly kind: 'startCancelled'; readonly processId: string }
  | { readonly kind: 'programNotFound'; readonly program: string; readonly cwd: string }
  | { readonly kind: 'programNotExecutable'; readonly program: string; readonly cwd: string }
  | { readonly kind: 'cwdNotFound'; readonly program: string; readonly cwd: string }
  | { readonly kind: 'cwdNotDirectory'; readonly program: string; readonly cwd: string }
  | { readonly kind: 'startFailed'; readonly program: string; readonly cwd: string; readonly reason: string }
  | { readonly kind: 'writeFailed'; readonly processId: string }
  | { readonly kind: 'noTerminal'; readonly processId: string }
  | { readonly kind: 'noStdinPipe'; readonly processId: string }
  | { readonly kind: 'badSize'; readonly columns: number; readonly rows: number }
  | { readonly kind: 'unknownSignal'; readonly name: string }
  | { readonly kind: 'noTerminals'; readonly reason: string }
  | { readonly kind: 'noBash' }
  | { readonly kind: 'shutDown' };

/** An error of a backend. `message` is for people; `code` and `wireMessage` are what the exec-server wire carries. */
export class ExecError extends Error {
  readonly code: number;
  readonly wireMessage: string;
  readonly failure: ExecFailure;

  constructor(failure: ExecFailure, wire: { code: number; message: string }) {
    super(describeFailure(failure));
    this.name = 'ExecError';
    this.failure = failure;
    this.code = wire.code;
    this.wireMessage = wire.message;
  }
}

/** Puts a message with `{0}` places into the language of the user. `vscode.l10n` is one. */
export interface Localizer {
  t(message: string, ...args: (string | number)[]): string;
}

/** The messages as they are written here. */
export const english: Localizer = {
  t: (message, ...args) =>
    message.replace(/\{(\d+)\}/g, (place, index: string) => String(args[Number(index)] ?? place)),
};

/** A failure in words for people: what happened, to what, and what to do. */
export function describeFailure(failure: ExecFailure, l10n: Localizer = english): string {
  switch (failure.kind) {
    case 'argvEmpty':
      return l10n.t('There is no command to start: the argument list is empty.');
    case 'programMissing':
      return l10n.t('There is no command to start: the program name is empty.');
    case 'nulCharacter':
      return l10n.t('Cannot start the command: {0} contains a NUL character. Remove it.', failure.where);
    case 'processExists':
      return l10n.t('A process with the id "{0}" exists already. Choose another id.', failure.processId);
    case 'unknownProcess':
      return l10n.t('There is no process with the id "{0}"; it may have been removed.', failure.processId);
    case 'processStarting':
      return l10n.t('The process "{0}" is still starting. Try again in a moment.', failure.processId);
    case 'startCancelled':
      return l10n.t('The start of "{0}" was cancelled.', failure.processId);
    case 'programNotFound':
      return l10n.t(
        'Cannot start "{0}" in {1}: there is no such program. Check its name and the PATH.',
        failure.program,
        failure.cwd,
      );
    case 'programNotExecutable':
      return l10n.t(
        'Cannot start "{0}" in {1}: it is not an executable file. Check its permissions.',
        failure.program,
        failure.cwd,
      );
    case 'cwdNotFound':
      return l10n.t(
        'Cannot start "{0}": the directory {1} does not exist. Choose another one.',
        failure.program,
        failure.cwd,
      );
    case 'cwdNotDirectory':
      return l10n.t('Cannot start "{0}": {1} is not a directory.', failure.program, failure.cwd);
    case 'startFailed':
      return l10n.t('Cannot start "{0}" in {1}: {2}.', failure.program, failure.cwd, failure.reason);
    case 'writeFailed':
      return l10n.t('Nothing can be written to "{0}": it takes no more input.', failure.processId);
    case 'noTerminal':
      return l10n.t('"{0}" has no size: it runs without a terminal.', failure.processId);
    case 'noStdinPipe':
      return l10n.t(
        'The standard input of "{0}" cannot be closed: it was started without one.',
        failure.processId,
      );
    case 'badSize':
      return l10n.t(
        'A terminal cannot have {0} columns and {1} rows: both must be whole numbers from 1 to 65535.',
        failure.columns,
        failure.rows,
      );
    case 'unknownSignal':
      return l10n.t('There is no signal called "{0}" on this machine.', failure.name);
    case 'noTerminals':
      return l10n.t(
        'Terminals cannot be used on this machine: {0}. Start the command without a terminal.',
        failure.reason,
      );
    case 'noBash':
      return l10n.t('A terminal program can be given another name only by bash, and there is none here.');
    case 'shutDown':
      return l10n.t('The backend has been shut down; nothing can be started any more.');
  }
}

const invalidRequest = (failure: ExecFailure, message: string) =>
  new ExecError(failure, { code: ErrorCode.invalidRequest, message });
const invalidParams = (failure: ExecFailure, message: string) =>
  new ExecError(failure, { code: ErrorCode.invalidParams, message });
const internal = (failure: ExecFailure, message: string) =>
  new ExecError(failure, { code: ErrorCode.internal, message });

/** One maker for each error, so that its code and its texts are written once. */
export const execErrors = {
  argvEmpty: () => invalidParams({ kind: 'argvEmpty' }, 'argv must not be empty'),
  programMissing: (tty: boolean) =>
    internal({ kind: 'programMissing' }, `missing program for ${tty ? 'PTY' : 'pipe'} spawn`),
  nulCharacter: (where: string) =>
    internal({ kind: 'nulCharacter', where }, 'nul byte found in provided data'),
  processExists: (processId: string) =>
    invalidRequest({ kind: 'processExists', processId }, `process ${processId} already exists`),
  unknownProcess: (processId: string) =>
    invalidRequest({ kind: 'unknownProcess', processId }, `unknown process id ${processId}`),
  processStarting: (processId: string) =>
    invalidRequest({ kind: 'processStarting', processId }, `process id ${processId} is starting`),
  startCancelled: (processId: string) =>
    invalidRequest({ kind: 'startCancelled', processId }, `process ${processId} start was cancelled`),
  programNotFound: (program: string, cwd: string) =>
    internal({ kind: 'programNotFound', program, cwd }, 'No such file or directory (os error 2)'),
  programNotExecutable: (program: string, cwd: string) =>
    internal({ kind: 'programNotExecutable', program, cwd }, 'Permission denied (os error 13)'),
  cwdNotFound: (program: string, cwd: string) =>
    internal({ kind: 'cwdNotFound', program, cwd }, 'No such file or directory (os error 2)'),
  cwdNotDirectory: (program: string, cwd: string) =>
    internal({ kind: 'cwdNotDirectory', program, cwd }, 'Not a directory (os error 20)'),
  /** @param wire The text of the operating system, with its number if known. */
  startFailed: (program: string, cwd: string, reason: string, wire: string) =>
    internal({ kind: 'startFailed', program, cwd, reason }, wire),
  writeFailed: (processId: string) =>
    internal({ kind: 'writeFailed', processId }, 'failed to write to process stdin'),
  noTerminal: (processId: string) =>
    invalidRequest({ kind: 'noTerminal', processId }, 'process is not attached to a PTY'),
  noStdinPipe: (processId: string) =>
    invalidRequest({ kind: 'noStdinPipe', processId }, 'process has no stdin pipe'),
  badSize: (columns: number, rows: number) =>
    invalidParams({ kind: 'badSize', columns, rows }, 'terminal size must be positive'),
  unknownSignal: (name: string) => invalidParams({ kind: 'unknownSignal', name }, `unknown signal ${name}`),
  noTerminals: (reason: string) =>
    internal({ kind: 'noTerminals', reason }, `terminals are not available: ${reason}`),
  noBash: () => internal({ kind: 'noBash' }, 'arg0 for a terminal needs bash'),
  shutDown: () => invalidRequest({ kind: 'shutDown' }, 'backend is shut down'),
} as const;
