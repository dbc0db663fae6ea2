import { ExecError, execErrors, type ExecFailure } from '../../core/index.js';
import { BadAnswerError, RequestTimeoutError, WireClosedError, WireError } from '../../protocol/index.js';

/** The process that a call is about: what the caller calls it, and what the server does. */
export interface NamedProcess {
  readonly processId: string;
  readonly wireId: string;
}

/** What went wrong with a call to a server, as an error of the backend. */
export function execErrorOf(error: unknown, process?: NamedProcess): Error {
  if (error instanceof WireError) {
    const message = inOurWords(error.message, process);
    return new ExecError(failureOf(error, message, process), { code: error.code, message });
  }
  if (error instanceof WireClosedError) {
    return execErrors.disconnected(error.reason);
  }
  if (error instanceof RequestTimeoutError) {
    return execErrors.noAnswer(error.method, error.timeoutMs / 1_000);
  }
  if (error instanceof BadAnswerError) {
    return execErrors.badAnswer(error.message);
  }
  return error instanceof Error ? error : new Error(String(error));
}

/** What the caller knows nothing of is the name that the server has for the process. */
export function inOurWords(message: string, process: NamedProcess | undefined): string {
  return process === undefined ? message : message.replaceAll(process.wireId, () => process.processId);
}

function failureOf(error: WireError, message: string, process: NamedProcess | undefined): ExecFailure {
  const said = saidFailure(error.data);
  if (said !== undefined) {
    return process !== undefined && 'processId' in said ? { ...said, processId: process.processId } : said;
  }
  const processId = process?.processId ?? '';
  const known = KNOWN_TEXTS.find(({ text }) => text.test(message));
  return known?.failure(processId) ?? { kind: 'refusedByServer', reason: message };
}

/** What servers say that have only a text for it. */
const KNOWN_TEXTS: readonly {
  readonly text: RegExp;
  readonly failure: (processId: string) => ExecFailure;
}[] = [
  { text: /^unknown process id /, failure: (processId) => ({ kind: 'unknownProcess', processId }) },
  { text: /^process .* already exists$/s, failure: (processId) => ({ kind: 'processExists', processId }) },
  { text: /^process id .* is starting$/s, failure: (processId) => ({ kind: 'processStarting', processId }) },
  { text: / start was cancelled$/, failure: (processId) => ({ kind: 'startCancelled', processId }) },
  { text: /^failed to write to process stdin/, failure: (processId) => ({ kind: 'writeFailed', processId }) },
];

/** The members of each failure that a server can name, and what they are. */
const SAID: Partial<Record<ExecFailure['kind'], Readonly<Record<string, 'string' | 'number'>>>> = {
  argvEmpty: {},
  programMissing: {},
  nulCharacter: { where: 'string' },
  processExists: { processId: 'string' },
  unknownProcess: { processId: 'string' },
  processStarting: { processId: 'string' },
  startCancelled: { processId: 'string' },
  programNotFound: { program: 'string', cwd: 'string' },
  programNotExecutable: { program: 'string', cwd: 'string' },
  cwdNotFound: { program: 'string', cwd: 'string' },
  cwdNotDirectory: { program: 'string', cwd: 'string' },
  startFailed: { program: 'string', cwd: 'string', reason: 'string' },
  writeFailed: { processId: 'string' },
  noTerminal: { processId: 'string' },
  noStdinPipe: { processId: 'string' },
  badSize: { columns: 'number', rows: 'number' },
  unknownSignal: { name: 'string' },
  badPort: { port: 'number' },
  noTerminals: { reason: 'string' },
  noBash: {},
};

/** The failure that our own server puts beside the text. */
function saidFailure(data: unknown): ExecFailure | undefined {
  if (typeof data !== 'object' || data === null || !('failure' in data)) {
    return undefined;
  }
  const { failure } = data;
  return isSaidFailure(failure) ? failure : undefined;
}

function isSaidFailure(value: unknown): value is ExecFailure {
  if (typeof value !== 'object' || value === null || !('kind' in value) || typeof value.kind !== 'string') {
    return false;
  }
  const members: unknown = Object.hasOwn(SAID, value.kind) ? Reflect.get(SAID, value.kind) : undefined;
  return (
    typeof members === 'object' &&
    members !== null &&
    Object.entries(members).every(([name, type]) => typeof Reflect.get(value, name) === type)
  );
}
