import { constants } from 'node:buffer';

/** What an answer has around the data, with an id of any length that makes sense. */
const AROUND_THE_DATA = 64 * 1024;

/**
 * The largest file that is read at once. The real server's limit is 512 MiB, but the answer is one message, and no
 * string of ours is longer than half a billion characters: three quarters of that are left by base64.
 */
export const MAX_READ_FILE_BYTES = Math.min(
  512 * 1024 * 1024,
  Math.floor((constants.MAX_STRING_LENGTH - AROUND_THE_DATA) / 4) * 3,
);

/** Files that one connection may have open; the system has an end of them. */
export const MAX_FILE_HANDLES = 128;

/** The client chooses the name of a handle. */
export const MAX_HANDLE_ID_BYTES = 32;

/** What is read from or written to an open file at once. */
export const MAX_BLOCK_BYTES = 1024 * 1024;

/** Files that a walk looks at side by side. There are four threads for it. */
export const LOOKS_AT_ONCE = 32;

/** Files of a directory that are removed side by side. */
export const REMOVALS_AT_ONCE = 32;

/** What a walk may be asked for. The real server has the same, and such an answer can still be made. */
export const MAX_WALK = { depth: 64, directories: 10_000, entries: 50_000 };
