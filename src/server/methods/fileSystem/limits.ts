import { constants } from 'node:buffer';

/** The characters of an answer beside its data, with room for any sensible length of the id. */
const AROUND_THE_DATA = 64 * 1024;

/**
 * The largest file that is read in one answer, in bytes. The real server's limit is 512 MiB. But the answer is one
 * message, and no string in Node is longer than half a billion characters. In base64, three quarters of them are data.
 */
export const MAX_READ_FILE_BYTES = Math.min(
  512 * 1024 * 1024,
  Math.floor((constants.MAX_STRING_LENGTH - AROUND_THE_DATA) / 4) * 3,
);

/** The longest name that a client may give a handle, in UTF-8. */
export const MAX_HANDLE_ID_BYTES = 32;

/** The largest block that is read from or written to an open file. */
export const MAX_BLOCK_BYTES = 1024 * 1024;

/** The part of a client's budget that one listing takes, in bytes: 200,000 names need about twice as much. */
export const LISTING_BYTES = 8 * 1024 * 1024;

/** The most listings that are made side by side for all clients together. Node has four threads for files. */
export const LISTINGS_AT_ONCE = 4;

/** The most helpers in sandboxes for all clients together. Each takes 40 MB of memory. */
export const HELPERS_AT_ONCE = 4;

/** The most files of one directory that are looked at side by side. Node has four threads for that. */
export const LOOKS_AT_ONCE = 32;

/** Files of a directory that are removed side by side. */
export const REMOVALS_AT_ONCE = 32;

/** Directories that a removal has open for those below them. */
export const PLACES_AT_ONCE = 32;

/** The most that a walk may be asked for, as with the real server. An answer of this size can still be made. */
export const MAX_WALK = { depth: 64, directories: 10_000, entries: 50_000 };
