import { errorOf, ExecError, type ExecFailure, failureFromWire } from '../../core/index.js';
import { BadAnswerError, RequestTimeoutError, WireClosedError, WireError } from '../../protocol/index.js';

/** The two names of the process that a call is about: the caller's and the server's. */
export interface NamedProcess {
  readonly processId: string;
  readonly wireId: string;
}

/** A process whose output is limited by a window, where the server supports one. */
export interface WindowedProcess extends NamedProcess {
  /** The most bytes of its output that may be under way. */
  readonly windowBytes: number;
}

/** Translates the error of a call to a server into an error of the backend. */
export function execErrorOf(error: unknown, process?: NamedProcess): Error {
  if (error instanceof WireError) {
    const message = inOurWords(error.message, process);
    return new ExecError(failureOf(error, message, process), { code: error.code, message });
  }
  if (error instanceof WireClosedError) {
    return new ExecError({ kind: 'disconnected', reason: { kind: 'ended', ended: error.reason } });
  }
  if (error instanceof RequestTimeoutError) {
    return new ExecError({ kind: 'noAnswer', method: error.method, seconds: error.timeoutMs / 1_000 });
  }
  if (error instanceof BadAnswerError) {
    return new ExecError({ kind: 'badAnswer', reason: error.message });
  }
  return errorOf(error);
}

/** The answer to a call. Its error is that of the backend, as from {@link execErrorOf}. */
export async function inOurErrors<T>(answer: Promise<T>, process?: NamedProcess): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw execErrorOf(error, process);
  }
}

/**
 * Whether a server that refuses a call may accept it at the next try. It will not if it does not know the process,
 * which is final.
 */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof RequestTimeoutError ||
    (error instanceof WireError && failureOf(error, error.message, undefined).kind !== 'unknownProcess')
  );
}

/** Replaces the server's name for a process, which the caller does not know, by the caller's. */
function inOurWords(message: string, process: NamedProcess | undefined): string {
  return process === undefined ? message : message.replaceAll(process.wireId, () => process.processId);
}

function failureOf(error: WireError, message: string, process: NamedProcess | undefined): ExecFailure {
  const said = failureBeside(error.data);
  if (said !== undefined) {
    return process !== undefined && 'processId' in said ? { ...said, processId: process.processId } : said;
  }
  const processId = process?.processId ?? '';
  const known = KNOWN_TEXTS.find(({ text }) => text.test(message));
  return known?.failure(processId) ?? { kind: 'refusedByServer', reason: message };
}

/** The failures for the messages of servers that send only a text. */
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

/** The failure that our own server sends along with the text. */
function failureBeside(data: unknown): ExecFailure | undefined {
  const named = typeof data === 'object' && data !== null && 'failure' in data ? data.failure : undefined;
  return failureFromWire(named);
}
