/**
 * The times of progress notifications for a call that still waits, in milliseconds, for clients that have asked for
 * them. The first comes soon, so that a person sees the reason for the wait. The others come well within the limits of
 * clients: most give up after a minute of silence.
 */
export const PROGRESS_MS = { first: 1_000, next: 10_000 } as const;

/**
 * The longest reply that Claude Code should show its model unchanged, in characters. It holds the largest
 * `max_output_tokens`, and the text around the output. Otherwise Claude Code puts more than 25,000 tokens into a file.
 */
export const LONGEST_REPLY_CHARACTERS = 420_000;

/** The largest request, in bytes: more than a model writes at once. */
export const LARGEST_REQUEST_BYTES = 4 * 1024 * 1024;

/**
 * How long an unused MCP session is kept, in milliseconds. The time is long, because not every client can handle the
 * end of its session. Most hold a stream open and are never idle.
 */
export const IDLE_SESSION_MS = 24 * 60 * 60 * 1_000;

/** How often the processes of clients are checked for their end, in milliseconds. */
export const CLIENT_CHECK_MS = 5_000;

/** The most MCP sessions at once; the least recently used one is ended first. */
export const MOST_SESSIONS = 200;

/**
 * The most connections that have shown the token: more than `MOST_SESSIONS` clients need. Each has a stream, and a
 * connection for each of a few calls.
 */
export const MOST_CONNECTIONS = 1_000;

/** How long a connection has to send the headers of a request, in milliseconds. */
export const HEADERS_LIMIT_MS = 15_000;

/** The interval of looks for connections that have sent no headers, in milliseconds. */
export const HEADERS_CHECK_MS = 2_000;

/** How long connections have to send their last answers when the server ends, in milliseconds. */
export const LAST_WORDS_MS = 500;

/**
 * How long a client has to resume a cut stream, in milliseconds; an answer is kept as long. If no client resumes it,
 * its call is then cancelled.
 */
export const RESUME_MS = 30_000;

/** The delay after which a client should resume a cut stream, in milliseconds. */
export const RETRY_MS = 1_000;

/** The most bytes of events that a session keeps for streams to resume. It keeps all of the newest answer. */
export const MOST_EVENT_BYTES = 1024 * 1024;

/** The cost of an event besides its text, in bytes. */
export const EVENT_COST = 500;

/** The interval in which a client should poll a task, in milliseconds: its model learns of the end as late as that. */
export const TASK_POLL_MS = 2_000;
