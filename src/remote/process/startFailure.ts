import { ExecError, type ExecFailure, isTooLong, type StartParams } from '../../core/index.js';
import { WireCode, WireError } from '../../protocol/index.js';
import { execErrorOf, type NamedProcess } from '../session/wireFailures.js';

/** Asks the server about a directory; undefined if there is no answer. */
export type LookAtDirectory = (path: string) => Promise<'directory' | 'file' | 'missing' | undefined>;

/**
 * Translates the error of a start. A server other than ours sends only its system's message. A missing program and a
 * missing directory look the same there, so the directory is checked.
 */
export async function startFailure(
  error: unknown,
  params: StartParams,
  process: NamedProcess,
  lookAt: LookAtDirectory,
): Promise<Error> {
  const general = execErrorOf(error, process);
  if (!(error instanceof WireError) || !(general instanceof ExecError)) {
    return general;
  }
  if (general.failure.kind !== 'refusedByServer') {
    return general;
  }
  const failure = await explain(general.wireMessage, params, lookAt);
  return new ExecError(failure, { code: general.code, message: general.wireMessage });
}

async function explain(message: string, params: StartParams, lookAt: LookAtDirectory): Promise<ExecFailure> {
  const { argv, cwd } = params;
  const program = argv[0] ?? '';
  if (message === 'argv must not be empty') {
    return { kind: 'argvEmpty' };
  }
  if (message.startsWith('missing program for ')) {
    return { kind: 'programMissing' };
  }
  if (/^Unable to spawn .*No viable candidates/s.test(message)) {
    // The server's own message contains the whole PATH.
    return { kind: 'programNotFound', program, cwd };
  }
  if (isTooLong(message)) {
    return { kind: 'argumentsTooLong', program, cwd };
  }
  if (!/^program not found$|\(os error (?:2|3|13|20|267)\)/.test(message)) {
    return { kind: 'startFailed', program, cwd, reason: message };
  }
  const directory = await lookAt(cwd);
  if (directory === 'missing') {
    return { kind: 'cwdNotFound', program, cwd };
  }
  if (directory === 'file') {
    return { kind: 'cwdNotDirectory', program, cwd };
  }
  if (directory === undefined) {
    return { kind: 'startFailed', program, cwd, reason: message };
  }
  return message.includes('(os error 13)')
    ? { kind: 'programNotExecutable', program, cwd }
    : { kind: 'programNotFound', program, cwd };
}

/** Reads an error of `fs/getMetadata`; undefined if it does not show whether the directory exists. */
export function directoryFromError(error: unknown): 'missing' | undefined {
  return error instanceof WireError && error.code === WireCode.notFound ? 'missing' : undefined;
}
