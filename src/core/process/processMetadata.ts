import type { ProcessMetadata } from '../metadata.js';
import { ExecError } from '../errors.js';
import type { StartedWith, StartParams } from './execBackend.js';

/** The most characters of the metadata of one process, as JSON. */
export const MOST_METADATA_CHARACTERS = 64 * 1024;

/**
 * The metadata of a process after a change key by key; null removes a key. Metadata that is too large may still shrink:
 * at the start it contains the whole command and has no limit.
 *
 * @param provided Values that it must have afterwards; otherwise nothing is changed.
 * @throws ExecError `metadataTooLarge`
 */
export function patchedMetadata(
  processId: string,
  before: ProcessMetadata,
  patch: ProcessMetadata,
  provided: ProcessMetadata = {},
): ProcessMetadata {
  const members = Object.entries({ ...before, ...patch });
  const after = Object.fromEntries(members.filter(([, value]) => value !== null && value !== undefined));
  if (Object.entries(provided).some(([key, value]) => !isSame(after[key], value))) {
    return before;
  }
  const limit = MOST_METADATA_CHARACTERS;
  const characters = JSON.stringify(after).length;
  if (characters > limit && characters > JSON.stringify(before).length) {
    throw new ExecError({ kind: 'metadataTooLarge', processId, limit });
  }
  return after;
}

/** Whether two values are the same as JSON. A missing key equals one that is null. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

/** Everything that a process was asked to start with, without its metadata and its id. */
export function startedWith(params: StartParams): StartedWith {
  const { argv, cwd, env, envPolicy, tty, pipeStdin, stderrToStdout, arg0, size, owned, sandbox } = params;
  return {
    argv,
    cwd,
    env,
    ...(envPolicy && { envPolicy }),
    tty,
    ...(pipeStdin !== undefined && { pipeStdin }),
    ...(stderrToStdout !== undefined && { stderrToStdout }),
    ...(arg0 !== undefined && { arg0 }),
    ...(size && { size }),
    ...(owned !== undefined && { owned }),
    ...(sandbox && { sandbox }),
  };
}
