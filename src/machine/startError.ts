import { getSystemErrorMap } from 'node:util';

/** The reason why a program cannot do what its command line says: one line, for the person who typed it. */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
  }
}

/** The reason why a user without a home has no place for what programs keep. */
export const NO_PLACE = 'you have no home folder here. Set HOME or XDG_STATE_HOME';

/** The system's own words for an error and its code, without the call and the path that Node adds. */
export function systemReason(error: unknown): string {
  const { errno } = error as NodeJS.ErrnoException;
  const [code, words] = (errno === undefined ? undefined : getSystemErrorMap().get(errno)) ?? [];
  return words === undefined
    ? error instanceof Error
      ? error.message
      : String(error)
    : `${words} (${code})`;
}
