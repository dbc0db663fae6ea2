/** The sizes and times of the client. Times are milliseconds. Those of the real client are its own. */

/** How long it may take to reach a server. */
export const CONNECT_MS = 10_000;

/** How long a server may take to answer the first message. */
export const INITIALIZE_MS = 10_000;

/** How long it goes on trying to take up a connection session: less than the 80 s that servers keep one. */
export const RECOVERY_LIMIT_MS = 45_000;

/** The wait after the first attempt that failed; it doubles up to {@link LAST_RETRY_MS}. */
export const FIRST_RETRY_MS = 100;
export const LAST_RETRY_MS = 1_000;

/** How long an ordinary call may take, a recovery included: a little longer than that is tried. */
export const REQUEST_MS = 60_000;

/** How long to look for what a server knows beyond what it said at once: nobody should wait for a nicety. */
export const ASIDE_MS = 3_000;

/** How long a closed process that nobody holds can still be read, as with the local backend. */
export const RETENTION_MS = 30_000;

/** How long a number may be missing before it is asked for. Servers send a few out of order, a moment apart. */
export const HOLE_MS = 250;

/** How often a server is asked for the same number before it counts as lost. */
export const HOLE_ATTEMPTS = 5;

/** Events of one process that wait for an earlier one. What is more is asked for again. */
export const EARLY_EVENTS = 4_096;
export const EARLY_BYTES = 4 * 1024 * 1024;

/** Input that waits for one process, or for the connection, in bytes. */
export const INPUT_BYTES = 16 * 1024 * 1024;

/** Bytes of input in one message; the real server takes no frame above 16 MiB. */
export const INPUT_PIECE_BYTES = 1024 * 1024;

/**
 * Writes under way at a time: enough to type over a slow line, and far from the 130 which the real server takes before
 * it keeps everything else of the connection waiting.
 */
export const INPUT_PIECES = 32;

/** Bytes of output of one process that may be under way, where the server can be told. */
export const CREDIT_WINDOW_BYTES = 1024 * 1024;

/** Output in one answer where a server sends it page by page. */
export const PAGE_BYTES = 256 * 1024;

/** How long the kill at the end of `stop` may take to show. */
export const REMOTE_KILL_CONFIRM_MS = 2_000;

/** How long the interrupt at the beginning of `stop` may take to work. */
export const INTERRUPT_GRACE_MS = 1_500;

/** How often a stop is asked for again that the end of a connection has interrupted. */
export const STOP_REPEATS = 5;

/** How long a shutdown waits for a connection that is being recovered, and for the ends of what it has killed. */
export const SHUTDOWN_WAIT_MS = 3_000;

/** How long a command that was a server may go on after its input has ended, before it is told to end, and killed. */
export const COMMAND_END_MS = 2_000;
export const COMMAND_TERM_MS = 1_000;

/** How much is kept of what such a command says on stderr, in characters. */
export const STDERR_CHARACTERS = 4_000;
