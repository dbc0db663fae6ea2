import { describeLoss, disconnectedText, type LossReason } from './connectionState.js';
import { english, type Localizer } from './localizer.js';

/** JSON-RPC error codes of the exec-server wire. */
export const ErrorCode = {
  invalidRequest: -32600,
  invalidParams: -32602,
  internal: -32603,
} as const;

/** A feature that not every server has. */
export type ServerFeature = 'resize' | 'closeStdin' | 'signal' | 'inputMode' | 'portProbe';

type Nothing = object;
interface OfProcess {
  readonly processId: string;
}
/** `program` is the program that was asked for, `cwd` the directory to run it in. */
interface OfStart {
  readonly program: string;
  readonly cwd: string;
}
/** `target` is the place where a server is looked for: an address, a path or a command. */
interface OfTarget {
  readonly target: string;
}
interface WithReason {
  readonly reason: string;
}

/** The members of each failure beside its kind. These are the failures of every backend. */
interface BackendFailures {
  argvEmpty: Nothing;
  programMissing: Nothing;
  nulCharacter: { readonly where: string };
  processExists: OfProcess;
  unknownProcess: OfProcess;
  processStarting: OfProcess;
  startCancelled: OfProcess;
  programNotFound: OfStart;
  programNotExecutable: OfStart;
  cwdNotFound: OfStart;
  cwdNotDirectory: OfStart;
  startFailed: OfStart & WithReason;
  writeFailed: OfProcess;
  noTerminal: OfProcess;
  noStdinPipe: OfProcess;
  badSize: { readonly columns: number; readonly rows: number };
  unknownSignal: { readonly name: string };
  badPort: { readonly port: number };
  noTerminals: WithReason;
  noBash: Nothing;
  shutDown: Nothing;
}

/** Reasons why a server cannot be reached. */
interface ConnectFailures {
  badAddress: OfTarget;
  tokenInTheClear: OfTarget;
  badToken: OfTarget;
  connectionRefused: OfTarget;
  unknownHost: OfTarget & { readonly host: string };
  connectTimeout: OfTarget & { readonly seconds: number };
  connectFailed: OfTarget & WithReason;
  connectCancelled: OfTarget;
  tokenMissing: OfTarget;
  unauthorized: OfTarget & WithReason;
  forbidden: OfTarget;
  tlsFailed: OfTarget & WithReason;
  notExecServer: OfTarget & WithReason;
  serverCommandEnded: OfTarget & WithReason;
}

/** Failures that a server on another machine, or the way to it, adds. */
interface ServerFailures {
  disconnected: { readonly reason: LossReason };
  /** `ended` is the transport's text for the end of the connection. */
  startInterrupted: OfProcess & { readonly ended: string };
  unsupported: { readonly feature: ServerFeature };
  noAnswer: { readonly method: string; readonly seconds: number };
  /** `reason` is a sentence. */
  badAnswer: WithReason;
  refusedByServer: WithReason;
  inputFull: OfProcess & { readonly limitBytes: number };
}

interface Failures extends BackendFailures, ConnectFailures, ServerFailures {}

type FailureKind = keyof Failures;

/** A failure as a value, which a user interface can put into words of its own language. */
export type ExecFailure<K extends FailureKind = FailureKind> = {
  [P in K]: { readonly kind: P } & Failures[P];
}[K];

/** A failure to reach a server. */
export type ConnectFailure = ExecFailure<keyof ConnectFailures>;

/** Everything about one kind of failure. */
interface FailureForm<K extends FailureKind> {
  readonly code: number;
  /** The message on the wire; a server may say it in other words. */
  readonly wire: (failure: ExecFailure<K>) => string;
  /**
   * The types of its members, by which a failure that a server names is recognized; or the note that no server names
   * it.
   */
  readonly members: MemberTypes<Failures[K]> | typeof NOT_SAID;
  /** A sentence or more for people: what happened, to what, and what to do. */
  readonly words: (failure: ExecFailure<K>, l10n: Localizer) => string;
}

type MemberTypes<Members> = {
  readonly [M in keyof Members]: Members[M] extends string
    ? 'string'
    : Members[M] extends number
      ? 'number'
      : never;
};

const NOT_SAID = 'not said by servers';

const { invalidRequest, invalidParams, internal } = ErrorCode;

/** The form of a failure to reach a server, which is never sent over a wire. */
const NOT_REACHED = { code: internal, wire: () => 'not connected', members: NOT_SAID } as const;

const FORMS: { readonly [K in FailureKind]: FailureForm<K> } = {
  argvEmpty: {
    code: invalidParams,
    wire: () => 'argv must not be empty',
    members: {},
    words: (_, l10n) => l10n.t('There is no command to start: the argument list is empty.'),
  },
  programMissing: {
    code: internal,
    wire: () => 'missing program for spawn',
    members: {},
    words: (_, l10n) => l10n.t('There is no command to start: the program name is empty.'),
  },
  nulCharacter: {
    code: internal,
    wire: () => 'nul byte found in provided data',
    members: { where: 'string' },
    words: ({ where }, l10n) =>
      l10n.t('Cannot start the command: {0} contains a NUL character. Remove it.', where),
  },
  processExists: {
    code: invalidRequest,
    wire: ({ processId }) => `process ${processId} already exists`,
    members: { processId: 'string' },
    words: ({ processId }, l10n) =>
      l10n.t('A process with the id "{0}" exists already. Choose another id.', processId),
  },
  unknownProcess: {
    code: invalidRequest,
    wire: ({ processId }) => `unknown process id ${processId}`,
    members: { processId: 'string' },
    words: ({ processId }, l10n) =>
      l10n.t('There is no process with the id "{0}"; it may have been removed.', processId),
  },
  processStarting: {
    code: invalidRequest,
    wire: ({ processId }) => `process id ${processId} is starting`,
    members: { processId: 'string' },
    words: ({ processId }, l10n) =>
      l10n.t('The process "{0}" is still starting. Try again in a moment.', processId),
  },
  startCancelled: {
    code: invalidRequest,
    wire: ({ processId }) => `process ${processId} start was cancelled`,
    members: { processId: 'string' },
    words: ({ processId }, l10n) => l10n.t('The start of "{0}" was cancelled.', processId),
  },
  programNotFound: {
    code: internal,
    wire: () => 'No such file or directory (os error 2)',
    members: { program: 'string', cwd: 'string' },
    words: ({ program, cwd }, l10n) =>
      l10n.t(
        'Cannot start "{0}" in {1}: there is no such program. Check its name and the PATH.',
        program,
        cwd,
      ),
  },
  programNotExecutable: {
    code: internal,
    wire: () => 'Permission denied (os error 13)',
    members: { program: 'string', cwd: 'string' },
    words: ({ program, cwd }, l10n) =>
      l10n.t('Cannot start "{0}" in {1}: it is not an executable file. Check its permissions.', program, cwd),
  },
  cwdNotFound: {
    code: internal,
    wire: () => 'No such file or directory (os error 2)',
    members: { program: 'string', cwd: 'string' },
    words: ({ program, cwd }, l10n) =>
      l10n.t('Cannot start "{0}": the directory {1} does not exist. Choose another one.', program, cwd),
  },
  cwdNotDirectory: {
    code: internal,
    wire: () => 'Not a directory (os error 20)',
    members: { program: 'string', cwd: 'string' },
    words: ({ program, cwd }, l10n) => l10n.t('Cannot start "{0}": {1} is not a directory.', program, cwd),
  },
  startFailed: {
    code: internal,
    wire: ({ reason }) => reason,
    members: { program: 'string', cwd: 'string', reason: 'string' },
    words: ({ program, cwd, reason }, l10n) =>
      l10n.t('Cannot start "{0}" in {1}: {2}.', program, cwd, reason),
  },
  writeFailed: {
    code: internal,
    wire: () => 'failed to write to process stdin',
    members: { processId: 'string' },
    words: ({ processId }, l10n) =>
      l10n.t('Nothing can be written to "{0}": it takes no more input.', processId),
  },
  noTerminal: {
    code: invalidRequest,
    wire: () => 'process is not attached to a PTY',
    members: { processId: 'string' },
    words: ({ processId }, l10n) => l10n.t('"{0}" has no size: it runs without a terminal.', processId),
  },
  noStdinPipe: {
    code: invalidRequest,
    wire: () => 'process has no stdin pipe',
    members: { processId: 'string' },
    words: ({ processId }, l10n) =>
      l10n.t('The standard input of "{0}" cannot be closed: it was started without one.', processId),
  },
  badSize: {
    code: invalidParams,
    wire: () => 'terminal size must be positive',
    members: { columns: 'number', rows: 'number' },
    words: ({ columns, rows }, l10n) =>
      l10n.t(
        'A terminal cannot have {0} columns and {1} rows: both must be whole numbers from 1 to 65535.',
        columns,
        rows,
      ),
  },
  unknownSignal: {
    code: invalidParams,
    wire: ({ name }) => `unknown signal ${name}`,
    members: { name: 'string' },
    words: ({ name }, l10n) => l10n.t('There is no signal called "{0}" on this machine.', name),
  },
  badPort: {
    code: invalidParams,
    wire: ({ port }) => `port must be a whole number from 1 to 65535, got ${port}`,
    members: { port: 'number' },
    words: ({ port }, l10n) =>
      l10n.t('There is no port {0}: it must be a whole number from 1 to 65535.', port),
  },
  noTerminals: {
    code: internal,
    wire: ({ reason }) => `terminals are not available: ${reason}`,
    members: { reason: 'string' },
    words: ({ reason }, l10n) =>
      l10n.t('Terminals cannot be used on this machine: {0}. Start the command without a terminal.', reason),
  },
  noBash: {
    code: internal,
    wire: () => 'arg0 for a terminal needs bash',
    members: {},
    words: (_, l10n) =>
      l10n.t('A terminal program can be given another name only by bash, and there is none here.'),
  },
  shutDown: {
    code: invalidRequest,
    wire: () => 'backend is shut down',
    // Said by a server, it is about that server, and not about this window.
    members: NOT_SAID,
    words: (_, l10n) => l10n.t('The backend has been shut down; nothing can be started any more.'),
  },

  badAddress: {
    ...NOT_REACHED,
    words: ({ target }, l10n) =>
      l10n.t('{0} is not the address of an exec-server: it must begin with ws:// or wss://.', target),
  },
  tokenInTheClear: {
    ...NOT_REACHED,
    words: ({ target }, l10n) =>
      l10n.t(
        'The token is not sent to {0}, because anybody on the way could read it. Use a wss:// address, or a tunnel to this machine.',
        target,
      ),
  },
  badToken: {
    ...NOT_REACHED,
    words: ({ target }, l10n) =>
      l10n.t('The token for {0} contains characters that no token has. Set it again.', target),
  },
  connectionRefused: {
    ...NOT_REACHED,
    words: ({ target }, l10n) =>
      l10n.t(
        'Cannot connect to {0}: nothing is listening there. Check the address, and that the exec-server runs.',
        target,
      ),
  },
  unknownHost: {
    ...NOT_REACHED,
    words: ({ target, host }, l10n) =>
      l10n.t(
        'Cannot connect to {0}: there is no host called "{1}". Check the address and the network.',
        target,
        host,
      ),
  },
  connectTimeout: {
    ...NOT_REACHED,
    words: ({ target, seconds }, l10n) =>
      l10n.t(
        'Cannot connect to {0}: no answer within {1} seconds. Check the address and the network.',
        target,
        seconds,
      ),
  },
  connectFailed: {
    ...NOT_REACHED,
    words: ({ target, reason }, l10n) => l10n.t('Cannot connect to {0}: {1}.', target, reason),
  },
  connectCancelled: {
    ...NOT_REACHED,
    words: ({ target }, l10n) => l10n.t('Connecting to {0} was cancelled.', target),
  },
  tokenMissing: {
    ...NOT_REACHED,
    words: ({ target }, l10n) => l10n.t('The exec-server at {0} asks for a token. Set it.', target),
  },
  unauthorized: {
    ...NOT_REACHED,
    words: ({ target, reason }, l10n) =>
      l10n.t('The exec-server at {0} does not accept the token: {1}. Set another one.', target, reason),
  },
  forbidden: {
    ...NOT_REACHED,
    words: ({ target }, l10n) =>
      l10n.t('The server at {0} refuses the connection (403 Forbidden). Check what it allows.', target),
  },
  tlsFailed: {
    ...NOT_REACHED,
    words: ({ target, reason }, l10n) =>
      l10n.t(
        'Cannot connect to {0} safely: {1}. Check the address and the certificate of the server.',
        target,
        reason,
      ),
  },
  notExecServer: {
    ...NOT_REACHED,
    words: ({ target, reason }, l10n) =>
      l10n.t('{0} is not an exec-server: {1}. Check the address.', target, reason),
  },
  serverCommandEnded: {
    ...NOT_REACHED,
    words: ({ target, reason }, l10n) =>
      l10n.t('The command {0} did not become an exec-server: {1}.', target, reason),
  },

  disconnected: {
    code: internal,
    wire: ({ reason }) => disconnectedText(reason),
    members: NOT_SAID,
    words: ({ reason }, l10n) =>
      l10n.t('The connection to the exec-server was lost: {0}.', describeLoss(reason, l10n)),
  },
  startInterrupted: {
    code: internal,
    wire: ({ ended }) => disconnectedText({ kind: 'ended', ended }),
    members: NOT_SAID,
    words: ({ processId, ended }, l10n) =>
      l10n.t(
        'The connection was lost while "{0}" was starting ({1}). It is ended if it did start; start it again.',
        processId,
        ended,
      ),
  },
  unsupported: {
    code: invalidRequest,
    wire: ({ feature }) => `the exec-server does not support ${feature}`,
    members: NOT_SAID,
    words: ({ feature }, l10n) => describeUnsupported(feature, l10n),
  },
  noAnswer: {
    code: internal,
    wire: ({ method, seconds }) => `no answer to ${method} within ${seconds} s`,
    members: NOT_SAID,
    words: ({ seconds }, l10n) =>
      l10n.t('The exec-server did not answer within {0} seconds. Try again.', seconds),
  },
  badAnswer: {
    code: internal,
    wire: ({ reason }) => reason,
    members: NOT_SAID,
    words: ({ reason }, l10n) => l10n.t('The exec-server answered what cannot be understood. {0}', reason),
  },
  refusedByServer: {
    code: internal,
    wire: ({ reason }) => reason,
    members: NOT_SAID,
    words: ({ reason }, l10n) => l10n.t('The exec-server refused: {0}.', reason),
  },
  inputFull: {
    code: invalidRequest,
    wire: ({ processId, limitBytes }) =>
      `more than ${limitBytes} bytes wait for the stdin of process ${processId}`,
    members: NOT_SAID,
    words: ({ processId, limitBytes }, l10n) =>
      l10n.t(
        '"{0}" takes no more input for now: {1} bytes are waiting for it already. Try again later.',
        processId,
        limitBytes,
      ),
  },
};

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

/** A failure in words for people: what happened, to what, and what to do. */
export function describeFailure<K extends FailureKind>(
  failure: ExecFailure<K>,
  l10n: Localizer = english,
): string {
  return FORMS[failure.kind].words(failure, l10n);
}

/** The code and the message of a failure on the wire. */
export function wireFormOf<K extends FailureKind>(
  failure: ExecFailure<K>,
): { code: number; message: string } {
  const { code, wire } = FORMS[failure.kind];
  return { code, message: wire(failure) };
}

/**
 * The failure that a server of ours named beside the message of an error; undefined if it is none that a server can
 * name.
 */
export function failureFromWire(value: unknown): ExecFailure | undefined {
  return isFailureFromWire(value) ? value : undefined;
}

function isFailureFromWire(value: unknown): value is ExecFailure {
  if (typeof value !== 'object' || value === null || !('kind' in value) || !isFailureKind(value.kind)) {
    return false;
  }
  const { members } = FORMS[value.kind];
  return (
    members !== NOT_SAID &&
    Object.entries(members).every(([name, type]) => typeof Reflect.get(value, name) === type)
  );
}

/** Whether this copy of the table has the kind. */
export function isFailureKind(kind: unknown): kind is FailureKind {
  return typeof kind === 'string' && Object.hasOwn(FORMS, kind);
}
