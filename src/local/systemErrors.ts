import { getSystemErrorMap } from 'node:util';

/**
 * The operating system's words and number for an error: `Argument list too long (os error 7)`.
 *
 * @param error An error of Node, or the words alone.
 */
export function systemErrorText(error: unknown): string {
  const { errno, message } =
    typeof error === 'string' ? { errno: numberOf(error), message: error } : (error as NodeJS.ErrnoException);
  const known = errno === undefined ? undefined : getSystemErrorMap().get(errno);
  if (errno === undefined || known === undefined) {
    return message;
  }
  const [, text] = known;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)} (os error ${-errno})`;
}

function numberOf(words: string): number | undefined {
  return [...getSystemErrorMap()].find(([, [, text]]) => text === words.toLowerCase())?.[0];
}
