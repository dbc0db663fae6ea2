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
  | { readonly kind: 'badPort'; readonly port: number }
  | { readonly kind: 'noTerminals'; readonly reason: string }
  | { readonly kind: 'noBash' }
  | { readonly kind: 'shutDown' }
  | ConnectFailure
  | ServerFailure;

/** Why a server cannot be reached. `target` is where it is looked for: an address, a path or a command. */
export type ConnectFailure =
  | { readonly kind: 'badAddress'; readonly target: string }
  | { readonly kind: 'tokenInTheClear'; readonly target: string }
  | { readonly kind: 'badToken'; readonly target: string }
  | { readonly kind: 'connectionRefused'; readonly target: string }
  | { readonly kind: 'unknownHost'; readonly target: string; readonly host: string }
  | { readonly kind: 'connectTimeout'; readonly target: string; readonly seconds: number }
  | { readonly kind: 'connectFailed'; readonly target: string; readonly reason: string }
  | { readonly kind: 'connectCancelled'; readonly target: string }
  | { readonly kind: 'unauthorized'; readonly target: string; readonly reason: string }
  | { readonly kind: 'forbidden'; readonly target: string }
  | { readonly kind: 'tlsFailed'; readonly target: string; readonly reason: string }
  | { readonly kind: 'notExecServer'; readonly target: string; readonly reason: string }
  | { readonly kind: 'serverCommandEnded'; readonly target: string; readonly reason: string };

/** What a server that is not on this machine, or the way to it, adds to what can go wrong. */
export type ServerFailure =
  | { readonly kind: 'disconnected'; readonly reason: string }
  | { readonly kind: 'startInterrupted'; readonly processId: string; readonly reason: string }
  | { readonly kind: 'unsupported'; readonly feature: ServerFeature }
  | { readonly kind: 'noAnswer'; readonly seconds: number }
  | { readonly kind: 'badAnswer'; readonly reason: string }
  | { readonly kind: 'refusedByServer'; readonly reason: string }
  | { readonly kind: 'inputFull'; readonly processId: string; readonly limitBytes: number };

/** What not every server can do. */
export type ServerFeature = 'resize' | 'closeStdin' | 'signal' | 'inputMode' | 'portProbe';

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

/**
 * Whether it is an {@link ExecError}, also one of another copy of that class: each program that is built has its own, and
 * `instanceof` knows only that of the caller.
 */
export function isExecError(error: unknown): error is ExecError {
  if (!(error instanceof Error) || error.name !== 'ExecError' || !('failure' in error)) {
    return false;
  }
  const { failure } = error;
  return typeof failure === 'object' && failure !== null && 'kind' in failure;
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
    case 'badPort':
      return l10n.t('There is no port {0}: it must be a whole number from 1 to 65535.', failure.port);
    case 'noTerminals':
      return l10n.t(
        'Terminals cannot be used on this machine: {0}. Start the command without a terminal.',
        failure.reason,
      );
    case 'noBash':
      return l10n.t('A terminal program can be given another name only by bash, and there is none here.');
    case 'shutDown':
      return l10n.t('The backend has been shut down; nothing can be started any more.');
    case 'disconnected':
    case 'startInterrupted':
    case 'unsupported':
    case 'noAnswer':
    case 'badAnswer':
    case 'refusedByServer':
    case 'inputFull':
      return describeServerFailure(failure, l10n);
    case 'badAddress':
    case 'tokenInTheClear':
    case 'badToken':
    case 'connectionRefused':
    case 'unknownHost':
    case 'connectTimeout':
    case 'connectFailed':
    case 'connectCancelled':
    case 'unauthorized':
    case 'forbidden':
    case 'tlsFailed':
    case 'notExecServer':
    case 'serverCommandEnded':
      return describeConnectFailure(failure, l10n);
  }
}

function describeConnectFailure(failure: ConnectFailure, l10n: Localizer): string {
  const { target } = failure;
  switch (failure.kind) {
    case 'badAddress':
      return l10n.t('{0} is not the address of an exec-server: it must begin with ws:// or wss://.', target);
    case 'tokenInTheClear':
      return l10n.t(
        'The token is not sent to {0}, because anybody on the way could read it. Use a wss:// address, or a tunnel to this machine.',
        target,
      );
    case 'badToken':
      return l10n.t('The token for {0} contains characters that no token has. Set it again.', target);
    case 'connectionRefused':
      return l10n.t(
        'Cannot connect to {0}: nothing is listening there. Check the address, and that the exec-server runs.',
        target,
      );
    case 'unknownHost':
      return l10n.t(
        'Cannot connect to {0}: there is no host called "{1}". Check the address and the network.',
        target,
        failure.host,
      );
    case 'connectTimeout':
      return l10n.t(
        'Cannot connect to {0}: no answer within {1} seconds. Check the address and the network.',
        target,
        failure.seconds,
      );
    case 'connectFailed':
      return l10n.t('Cannot connect to {0}: {1}.', target, failure.reason);
    case 'connectCancelled':
      return l10n.t('Connecting to {0} was cancelled.', target);
    case 'unauthorized':
      return l10n.t(
        'The exec-server at {0} does not accept the token: {1}. Set another one.',
        target,
        failure.reason,
      );
    case 'forbidden':
      return l10n.t(
        'The server at {0} refuses the connection (403 Forbidden). Check what it allows.',
        target,
      );
    case 'tlsFailed':
      return l10n.t(
        'Cannot connect to {0} safely: {1}. Check the address and the certificate of the server.',
        target,
        failure.reason,
      );
    case 'notExecServer':
      return l10n.t('{0} is not an exec-server: {1}. Check the address.', target, failure.reason);
    case 'serverCommandEnded':
      return l10n.t('The command {0} did not become an exec-server: {1}.', target, failure.reason);
  }
}

function describeServerFailure(failure: ServerFailure, l10n: Localizer): string {
  switch (failure.kind) {
    case 'disconnected':
      return failure.reason === ''
        ? l10n.t('exec-server transport disconnected')
        : l10n.t('exec-server transport disconnected: {0}', failure.reason);
    case 'startInterrupted':
      return l10n.t(
        'The connection was lost while "{0}" was starting ({1}). It is ended if it did start; start it again.',
        failure.processId,
        failure.reason,
      );
    case 'unsupported':
      return describeUnsupported(failure.feature, l10n);
    case 'noAnswer':
      return l10n.t('The exec-server did not answer within {0} seconds. Try again.', failure.seconds);
    case 'badAnswer':
      return l10n.t('The exec-server answered what cannot be understood. {0}', failure.reason);
    case 'refusedByServer':
      return l10n.t('The exec-server refused: {0}.', failure.reason);
    case 'inputFull':
      return l10n.t(
        '"{0}" takes no more input for now: {1} bytes are waiting for it already. Try again later.',
        failure.processId,
        failure.limitBytes,
      );
  }
}

function describeUnsupported(feature: ServerFeature, l10n: Localizer): string {
  switch (feature) {
    case 'resize':
      return l10n.t('This exec-server cannot change the size of a terminal.');
    case 'closeStdin':
      return l10n.t('This exec-server cannot close the standard input of a process.');
    case 'signal':
      return l10n.t('This exec-server can only interrupt and kill; it sends no other signal.');
    case 'inputMode':
      return l10n.t('This exec-server cannot tell how a terminal takes input.');
    case 'portProbe':
      return l10n.t('This exec-server cannot tell whether something listens at a port.');
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
  badPort: (port: number) =>
    invalidParams({ kind: 'badPort', port }, `port must be a whole number from 1 to 65535, got ${port}`),
  badSize: (columns: number, rows: number) =>
    invalidParams({ kind: 'badSize', columns, rows }, 'terminal size must be positive'),
  unknownSignal: (name: string) => invalidParams({ kind: 'unknownSignal', name }, `unknown signal ${name}`),
  noTerminals: (reason: string) =>
    internal({ kind: 'noTerminals', reason }, `terminals are not available: ${reason}`),
  noBash: () => internal({ kind: 'noBash' }, 'arg0 for a terminal needs bash'),
  shutDown: () => invalidRequest({ kind: 'shutDown' }, 'backend is shut down'),
  /** @param wire What was seen of it, for a log. */
  cannotConnect: (failure: ConnectFailure, wire: string) => internal(failure, wire),
  disconnected: (reason: string) => internal({ kind: 'disconnected', reason }, disconnectedText(reason)),
  startInterrupted: (processId: string, reason: string) =>
    internal({ kind: 'startInterrupted', processId, reason }, disconnectedText(reason)),
  unsupported: (feature: ServerFeature) =>
    invalidRequest({ kind: 'unsupported', feature }, `the exec-server does not support ${feature}`),
  noAnswer: (method: string, seconds: number) =>
    internal({ kind: 'noAnswer', seconds }, `no answer to ${method} within ${seconds} s`),
  /** @param reason A sentence. */
  badAnswer: (reason: string) => internal({ kind: 'badAnswer', reason }, reason),
  inputFull: (processId: string, limitBytes: number) =>
    invalidRequest(
      { kind: 'inputFull', processId, limitBytes },
      `more than ${limitBytes} bytes wait for the stdin of process ${processId}`,
    ),
} as const;

/** What a log fails with, and what calls are rejected with, once the connection is lost. Others look for these words. */
export function disconnectedText(reason: string): string {
  return `exec-server transport disconnected${reason === '' ? '' : `: ${reason}`}`;
}
