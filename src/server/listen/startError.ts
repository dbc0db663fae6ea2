import { StartError, systemReason } from '../../machine/index.js';

export { StartError, systemReason };

/** The error for an address or a file that a server cannot listen on. */
export function listenError(error: Error, url: string): StartError {
  return new StartError(`cannot listen on ${url}: ${systemReason(error)}`, { cause: error });
}
