import { systemErrorNumber, systemErrorText } from '../../local/index.js';
import { WireCode, WireError } from '../../protocol/index.js';

/** The messages of the real server's C library, where Node has other words or none. */
const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'Permission denied',
  EAGAIN: 'Resource temporarily unavailable',
  EBADF: 'Bad file descriptor',
  EBUSY: 'Resource busy',
  EDQUOT: 'Quota exceeded',
  EEXIST: 'File exists',
  EFBIG: 'File too large',
  EINVAL: 'Invalid argument',
  EIO: 'I/O error',
  EISDIR: 'Is a directory',
  ELOOP: 'Symbolic link loop',
  EMFILE: 'No file descriptors available',
  EMLINK: 'Too many links',
  ENAMETOOLONG: 'Filename too long',
  ENFILE: 'Too many open files in system',
  ENODEV: 'No such device',
  ENOENT: 'No such file or directory',
  ENOMEM: 'Out of memory',
  ENOSPC: 'No space left on device',
  ENOTDIR: 'Not a directory',
  ENOTEMPTY: 'Directory not empty',
  ENOTSUP: 'Not supported',
  ENXIO: 'No such device or address',
  EOVERFLOW: 'Value too large for data type',
  EPERM: 'Operation not permitted',
  EPIPE: 'Broken pipe',
  EROFS: 'Read-only file system',
  ESPIPE: 'Invalid seek',
  ETXTBSY: 'Text file busy',
  EXDEV: 'Cross-device link',
};

/** The errors that the real server takes for a mistake of the client. */
const MISTAKES: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EINVAL']);

/** Whether an error comes from the operating system. With a code, for example `ENOENT`: whether it has that code. */
export function isOsError(error: unknown, code?: string): error is NodeJS.ErrnoException {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    (code === undefined ? 'errno' in error : error.code === code)
  );
}

/** Makes an error like one of the operating system. */
export function makeOsError(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(WORDS[code] ?? code), { code, errno: -(systemErrorNumber(code) ?? 0) });
}

/** The text of an error, for example `No such file or directory (os error 2)`. */
export function osErrorText(error: NodeJS.ErrnoException, platform = process.platform): string {
  const { code = '' } = error;
  const words = WORDS[code];
  const number = systemErrorNumber(code, platform);
  return words === undefined || number === undefined
    ? systemErrorText(error, platform)
    : `${words} (os error ${number})`;
}

/** Translates an error of the operating system into an error answer. */
export function osErrorAnswer(error: NodeJS.ErrnoException): WireError {
  const text = osErrorText(error);
  if (error.code === 'ENOENT') {
    return new WireError(WireCode.notFound, text);
  }
  return new WireError(MISTAKES.has(error.code ?? '') ? WireCode.invalidRequest : WireCode.internal, text);
}
