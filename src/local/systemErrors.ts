import { getSystemErrorMap } from 'node:util';

/** The operating system's words and number for an error: `Argument list too long (os error 7)`. */
export function systemErrorText(error: unknown): string {
  const { errno, message } = error as NodeJS.ErrnoException;
  const known = errno === undefined ? undefined : getSystemErrorMap().get(errno);
  if (errno === undefined || known === undefined) {
    return message;
  }
  const [, text] = known;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)} (os error ${-errno})`;
}
