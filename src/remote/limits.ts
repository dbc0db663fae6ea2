/** Sizes and times of the client. Times are milliseconds. Those that the real client also has equal its own. */

/**
 * The interval of the signs of life of a server that is reached through a command. A server that sends none is asked
 * for one. A line counts as silent after three intervals; the silence is noticed within fifteen seconds.
 */
export const SIGN_OF_LIFE_MS = 4_000;

/** The time to reach a server. */
export const CONNECT_MS = 10_000;

/** The time for a server to answer the first message. */
export const INITIALIZE_MS = 10_000;

/** The time for attempts to resume a connection session: less than the 80 s for which servers keep one. */
export const RECOVERY_LIMIT_MS = 45_000;

/** The wait after the first failed attempt; it doubles up to {@link LAST_RETRY_MS}. */
export const FIRST_RETRY_MS = 100;
export const LAST_RETRY_MS = 1_000;

/**
 * The time for a server to notice that the earlier client of a resumed session has gone, and the wait between two
 * attempts.
 */
export const EARLIER_WAIT_MS = 5_000;
export const EARLIER_RETRY_MS = 250;

/** The time for an ordinary call, including a recovery: a little longer than {@link RECOVERY_LIMIT_MS}. */
export const REQUEST_MS = 60_000;

/**
 * The time for the answer to a start, including a recovery. It is shorter than for other calls: an agent waits for the
 * start, and a process that nobody waits for any more is taken back.
 */
export const START_MS = 30_000;

/** The time for optional questions to a server. It is short, since the answers are not worth a long wait. */
export const ASIDE_MS = 3_000;

/** The time for which a closed process without a holder can still be read, as with the local backend. */
export const RETENTION_MS = 30_000;

/** The time that a number may be missing before it is asked for. Servers send some out of order, a moment apart. */
export const HOLE_MS = 250;

/** The number of successive answers without the same missing number before it counts as lost. */
export const HOLE_ATTEMPTS = 5;

/** The wait before a reading that a server has refused is tried again; it doubles up to {@link LAST_REFUSED_MS}. */
export const FIRST_REFUSED_MS = 250;
export const LAST_REFUSED_MS = 10_000;

/**
 * The most events of one process that wait for an earlier one, and their most bytes. Further ones are dropped, and
 * asked for again.
 */
export const EARLY_EVENTS = 4_096;
export const EARLY_BYTES = 4 * 1024 * 1024;

/** The most bytes of input of one process that wait, for the process or for the connection. */
export const INPUT_BYTES = 16 * 1024 * 1024;

/**
 * The most bytes of input in one message. Each message gets an answer; over a slow line, answers must come often enough
 * to be signs of life.
 */
export const INPUT_PIECE_BYTES = 64 * 1024;

/**
 * The most writes under way at a time. They are enough to type over a slow line. Above 130, the real server would delay
 * all other messages of the connection.
 */
export const INPUT_PIECES = 32;

/**
 * The most bytes of output of one process that may be under way, with servers that support a window. If the log here
 * keeps little, the window is smaller (`creditWindow`).
 */
export const CREDIT_WINDOW_BYTES = 1024 * 1024;

/** The most bytes of output in one answer: a cut loses no more than one answer of each process. */
export const PAGE_BYTES = 64 * 1024;

/** The time for the kill at the end of `stop` to show an effect. */
export const REMOTE_KILL_CONFIRM_MS = 2_000;

/** The time for the interrupt at the beginning of `stop` to work. */
export const INTERRUPT_GRACE_MS = 1_500;

/** How often a stop is repeated that the end of a connection has interrupted. */
export const STOP_REPEATS = 5;

/**
 * The time for which a shutdown waits for a connection that is being recovered, and for the ends of killed processes.
 */
export const SHUTDOWN_WAIT_MS = 3_000;

/** The time that a relaying command has to end after its input has ended, before SIGTERM; and again before SIGKILL. */
export const COMMAND_END_MS = 2_000;
export const COMMAND_TERM_MS = 1_000;

/** The most characters that are kept of such a command's stderr. */
export const STDERR_CHARACTERS = 4_000;
