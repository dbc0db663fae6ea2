/** How often a client that has asked for it is told that a call still waits, in milliseconds: well within the limits
 * of clients, which mostly give up after a minute of silence. */
export const PROGRESS_MS = 10_000;

/** The largest request, in bytes: more than a model writes at once. */
export const LARGEST_REQUEST_BYTES = 4 * 1024 * 1024;

/**
 * How long an MCP session is kept that nobody uses, in milliseconds. Long, since not every client knows what to do when
 * its session is gone; most hold a stream open, and are never idle.
 */
export const IDLE_SESSION_MS = 24 * 60 * 60 * 1_000;

/** How many MCP sessions there are at once; the one that was used the longest ago goes first. */
export const MOST_SESSIONS = 200;

/** More than `MOST_SESSIONS` clients need: each has a stream, and a connection for each of a few calls. */
export const MOST_CONNECTIONS = 1_000;

/** How long connections get to send what they have when the server ends, in milliseconds. */
export const LAST_WORDS_MS = 500;
