/**
 * When a client that has asked for progress is notified that a call still waits, in milliseconds: first soon, so that a
 * person sees what is waited for, then at intervals well within the limits of clients, most of which give up after a
 * minute of silence.
 */
export const PROGRESS_MS = { first: 1_000, next: 10_000 } as const;

/**
 * The longest reply that Claude Code is asked to show its model as it is, in characters: with the largest
 * `max_output_tokens`, and room for what stands around the output. Otherwise it puts more than 25,000 tokens into a file.
 */
export const LONGEST_REPLY_CHARACTERS = 420_000;

/** The largest request, in bytes: more than a model writes at once. */
export const LARGEST_REQUEST_BYTES = 4 * 1024 * 1024;

/**
 * How long an unused MCP session is kept, in milliseconds. Long, because not every client can handle the end of its
 * session. Most hold a stream open and are never idle.
 */
export const IDLE_SESSION_MS = 24 * 60 * 60 * 1_000;

/** How often it is looked whether the processes of clients have ended, in milliseconds. */
export const CLIENT_CHECK_MS = 5_000;

/** How many MCP sessions there are at once; the least recently used one is ended first. */
export const MOST_SESSIONS = 200;

/**
 * More connections that have shown the token than `MOST_SESSIONS` clients need: each has a stream, and a connection for
 * each of a few calls.
 */
export const MOST_CONNECTIONS = 1_000;

/** How long a connection has to say what it wants, in milliseconds. */
export const HEADERS_LIMIT_MS = 15_000;

/** How often it is looked for connections that have not, in milliseconds. */
export const HEADERS_CHECK_MS = 2_000;

/** How long connections have to send their last answers when the server ends, in milliseconds. */
export const LAST_WORDS_MS = 500;

/**
 * How long a client has to resume a stream that was cut, in milliseconds; an answer is kept for as long. A call whose
 * stream nobody resumes is cancelled then.
 */
export const RESUME_MS = 30_000;

/** After how long a client should resume a stream that was cut, in milliseconds. */
export const RETRY_MS = 1_000;

/** How many bytes of events a session keeps for streams that are resumed; of the newest answer it keeps all. */
export const MOST_EVENT_BYTES = 1024 * 1024;

/** What an event costs besides its text, in bytes. */
export const EVENT_COST = 500;
