import { constants } from 'node:os';
import { getSystemErrorMap } from 'node:util';

/**
 * The numbers of Windows' own errors by the names that libuv gives them. Node has only libuv's numbers there, which no
 * other program knows, and in `os.constants` the C runtime's. If several errors share a name, this is the one that
 * files and processes meet. https://github.com/libuv/libuv/blob/v1.x/src/win/error.c
 */
const WINDOWS_NUMBERS: Readonly<Record<string, number>> = {
  EACCES: 5,
  EBADF: 6,
  EBUSY: 32,
  EDQUOT: 1295,
  EEXIST: 183,
  EFBIG: 223,
  EFTYPE: 193,
  EINVAL: 87,
  EIO: 1117,
  EISDIR: 5,
  ELOOP: 1921,
  EMFILE: 4,
  EMLINK: 1142,
  ENAMETOOLONG: 206,
  ENOENT: 2,
  ENOMEM: 8,
  ENOSPC: 112,
  ENOSYS: 120,
  ENOTDIR: 267,
  ENOTEMPTY: 145,
  ENOTSUP: 50,
  EPERM: 5,
  EPIPE: 109,
  EROFS: 19,
  EXDEV: 17,
};

/** The system's own number for an error with this name; undefined if there is no number. */
export function systemErrorNumber(name: string, platform = process.platform): number | undefined {
  const numbers: Readonly<Record<string, number>> = platform === 'win32' ? WINDOWS_NUMBERS : constants.errno;
  return Object.hasOwn(numbers, name) ? numbers[name] : undefined;
}

/**
 * The operating system's words and number for an error: `Argument list too long (os error 7)`.
 *
 * @param error An error of Node, or the words alone.
 */
export function systemErrorText(error: unknown, platform = process.platform): string {
  const { errno, message } =
    typeof error === 'string' ? { errno: numberOf(error), message: error } : (error as NodeJS.ErrnoException);
  const known = errno === undefined ? undefined : getSystemErrorMap().get(errno);
  if (known === undefined) {
    return message;
  }
  const [name, text] = known;
  return withNumber(text, systemErrorNumber(name, platform));
}

/** The text for an error that Windows itself has given a number. */
export function windowsErrorText(number: number): string {
  const named = [...getSystemErrorMap().values()].find(([name]) => WINDOWS_NUMBERS[name] === number);
  return withNumber(named?.[1] ?? 'Windows refused', number);
}

function withNumber(text: string, number: number | undefined): string {
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return number === undefined ? sentence : `${sentence} (os error ${number})`;
}

function numberOf(words: string): number | undefined {
  return [...getSystemErrorMap()].find(([, [, text]]) => text === words.toLowerCase())?.[0];
}
