/** The sizes and times of the wire. Those of a server are the real server's where it has one. */

/** The largest message that a server takes, in bytes. */
export const SERVER_MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/**
 * The largest message that a client takes, in bytes: what a server keeps of one process is far less. (This client reads
 * no files, which could come as one message of 768 MiB.)
 */
export const CLIENT_MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** Objects and arrays inside each other in a client's message. */
export const MAX_DEPTH = 127;

/** Values in a client's message, objects and arrays included, names of members not. */
export const MAX_VALUES = 262_144;

/** How often each side of a WebSocket asks whether the other is there, in milliseconds. */
export const PING_INTERVAL_MS = 30_000;

/**
 * How long the other side may take to show that it is there. Together with the interval this stays below the 45 seconds
 * in which the real client goes on trying to resume a session that a half-open connection holds.
 */
export const DEAD_AFTER_MS = 10_000;

/** How long the other side may take to let go when a transport is closed, before it is ended by force. */
export const CLOSE_LIMIT_MS = 2_000;

/** Messages of a client that wait for their turn, before no more is read. */
export const MAX_WAITING_MESSAGES = 256;

/** Requests of a client that are not answered yet, before no more is read: four times what the real client allows itself. */
export const MAX_UNANSWERED_REQUESTS = 4_096;

/** Characters of all these requests together, so that many large ones are no way to fill the memory. */
export const MAX_UNANSWERED_CHARACTERS = 2 * SERVER_MAX_MESSAGE_BYTES;

/**
 * Characters of answers that a client has asked for and does not take, before no more is read of what it asks for. The
 * largest file is more: whoever asks for that waits with its next request.
 */
export const MAX_UNSENT_CHARACTERS = 2 * SERVER_MAX_MESSAGE_BYTES;
