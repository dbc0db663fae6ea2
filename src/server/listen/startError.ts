import { StartError, systemReason } from '../../machine/index.js';

export { StartError, systemReason };

/** Whether an error is a {@link StartError}, of any copy of that class: each built program contains its own copy. */
export function isStartError(error: unknown): error is StartError {
  return error instanceof Error && error.name === 'StartError';
}

/** The error for an address or a file that a server cannot listen on. */
export function listenError(error: Error, url: string): StartError {
  return new StartError(`cannot listen on ${url}: ${systemReason(error)}`, { cause: error });
}
