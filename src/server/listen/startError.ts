import { getSystemErrorMap } from 'node:util';

/** Why the program cannot do what its command line says. One line, for whoever typed it. */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
  }
}

/** An address or a file cannot be had. */
export function listenError(error: Error, what = 'cannot listen'): StartError {
  return new StartError(`${what}: ${systemReason(error)}`, { cause: error });
}

/** The system's own words, without the code and the call that Node puts around them. */
export function systemReason(error: unknown): string {
  const { errno } = error as NodeJS.ErrnoException;
  const [code, words] = (errno === undefined ? undefined : getSystemErrorMap().get(errno)) ?? [];
  return words === undefined
    ? error instanceof Error
      ? error.message
      : String(error)
    : `${words} (${code})`;
}
