/** Sizes and times of the wire. A server's limits equal the real server's if that has such a limit. */

/** The largest message that a server takes, in bytes. */
export const SERVER_MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/**
 * The largest message that a client takes, in bytes: a server retains far less output of one process. (This client
 * reads no files. A file could arrive as one message of 768 MiB.)
 */
export const CLIENT_MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** The deepest nesting of objects and arrays in a client's message. */
export const MAX_DEPTH = 127;

/** The most values in a client's message; objects and arrays count, names of members do not. */
export const MAX_VALUES = 262_144;

/**
 * The time from one ping of a WebSocket to the next, in milliseconds; each side asks whether the other still exists.
 */
export const PING_INTERVAL_MS = 20_000;

/**
 * The time that the other side has to show a sign of life, in milliseconds. A side that falls silent right after a ping
 * is known to be dead after this time plus the interval: 30 seconds. The real client tries for 45 seconds to resume a
 * session that a half-open connection holds.
 */
export const DEAD_AFTER_MS = 10_000;

/** The time that the other side has to close when a transport is closed, in milliseconds; then it is ended by force. */
export const CLOSE_LIMIT_MS = 2_000;

/** The most messages of a client that may wait for their turn; with more, reading pauses. */
export const MAX_WAITING_MESSAGES = 256;

/**
 * The default for the most requests of a client without an answer; with more, reading pauses. Four times as many as the
 * real client allows itself.
 */
export const MAX_UNANSWERED_REQUESTS = 4_096;

/** The most characters of all these requests together; without this bound, many large ones could fill the memory. */
export const MAX_UNANSWERED_CHARACTERS = 2 * SERVER_MAX_MESSAGE_BYTES;

/**
 * The most characters of answers that a client has not taken; with more, reading pauses. The largest file is larger:
 * its client then waits with the next request.
 */
export const MAX_UNSENT_CHARACTERS = 2 * SERVER_MAX_MESSAGE_BYTES;
