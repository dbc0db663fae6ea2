/** The time for which a connection session waits for its client to come back. Real clients try for 45 s. */
export const DEFAULT_DETACHED_SECONDS = 80;
/**
 * The time that a client on a private socket has to answer when another connection asks for its session. Without an
 * answer that connection gets the session. Only a client that has come back knows the session's id.
 */
export const HOLDER_ANSWER_MS = 2_000;
/**
 * The silence, in milliseconds, after which a client that cannot be asked counts as gone. It is far below the 45 s for
 * which clients try.
 */
export const SILENT_HOLDER_MS = 10_000;
/**
 * The time for which a closed process can still be read. It equals the time of a detached session, so that a client
 * that comes back finds all its output.
 */
export const DEFAULT_RETENTION_SECONDS = 80;

/** The time that a connection has to ask for a WebSocket, in milliseconds. */
export const HANDSHAKE_LIMIT_MS = 15_000;
/** The interval of checks for connections that have not asked, in milliseconds. */
export const HANDSHAKE_CHECK_MS = 2_000;
/** The time that a WebSocket has to become the connection of a client, with `initialize`, in milliseconds. */
export const INITIALIZE_LIMIT_MS = 90_000;

/**
 * The most bytes of output of one process on their way to a client that does not acknowledge. It is enough to keep a
 * fast connection busy. A slow client costs this much memory for each of its processes.
 */
export const UNACKNOWLEDGED_WINDOW_BYTES = 256 * 1024;
/**
 * The largest window that a client may ask for with `windowBytes`. The client chooses it, but the memory is the
 * server's.
 */
export const LARGEST_WINDOW_BYTES = 8 * 1024 * 1024;

/**
 * The most characters of the metadata of a process, as JSON: twice the size of the largest command of a system. The
 * metadata contain the command as people wrote it.
 */
export const MOST_METADATA_CHARACTERS = 4 * 1024 * 1024;

/** The most places, entries and roots of a sandbox. bubblewrap takes 9,000 arguments, and a place needs some 15. */
export const MOST_SANDBOX_PLACES = 256;
/** The most characters of a place. Systems allow 4,096 bytes, and each may be written as three characters. */
export const MOST_SANDBOX_TEXT = 12 * 1024;

/** The number of writes of one process that are remembered to recognize repetitions. */
export const REMEMBERED_WRITES = 4096;

/** The most simultaneous looks at ports for one connection: each may take two sockets, or two files. */
export const CONCURRENT_PROBES = 8;

/** The interval, in milliseconds, in which a client may ask for signs of life: from ten a second to one a minute. */
export const SIGN_OF_LIFE_BOUNDS_MS = { least: 100, most: 60_000 } as const;

/** The time that the server has, when it ends, to tell its clients of exits that have happened, in milliseconds. */
export const LAST_EXITS_MS = 300;
/**
 * The part of that time in which the server waits for further exits. Programs are often told to end together with the
 * server, and an exit is noticed a moment after it has happened.
 */
export const NEWEST_EXITS_MS = 20;
/** The time for which the server waits for its last messages to be taken when it ends. */
export const LAST_MESSAGES_MS = 500;

/** The time for which the server waits for killed processes when it ends: it ends as soon as they have exited. */
export const SHUTDOWN_KILL_MS = 1_500;
/** The time limit of a server's whole shutdown; remaining processes are left to the guard process. */
export const SHUTDOWN_LIMIT_MS = 4_000;

/** The time for which a server that a bridge has started stays without use. */
export const BRIDGE_SERVER_IDLE_SECONDS = 300;
/** The time for which a bridge whose client has left tries to pass on its last messages. */
export const BRIDGE_END_LIMIT_MS = 2_000;

/** The interval in which a session server looks whether its socket is still there, in milliseconds. */
export const SOCKET_CHECK_MS = 2_000;
/** The size from which the log of a session server is begun anew; the last one is kept beside it. */
export const LOG_BYTES = 1024 * 1024;
/**
 * The times for which owned processes of people and of agents go on without any client, in seconds, unless a client
 * says otherwise.
 */
export const DEFAULT_KEEP_TIMES = { personSeconds: 12 * 3_600, agentSeconds: 600 } as const;
/** The shortest of these times that counts, in seconds: a window that is reloaded is a client again within it. */
export const SHORTEST_KEEP_SECONDS = 120;
/** The time for which a session server stays without an owned process and without a client. */
export const EMPTY_SERVER_MS = 600_000;
/** The most owned processes that have closed, and the most bytes of output of all owned ones together. */
export const OWNED_LIMITS = { closed: 200, outputBytes: 64 * 1024 * 1024 } as const;
/** The most output of each process that a client can have the server keep. */
export const MOST_RETAINED = { bytes: 256 * 1024 * 1024, chunks: 5_000_000 } as const;
/** The time from a change to the check of these limits, in milliseconds. */
export const LIMITS_INTERVAL_MS = 1_000;

/** The time from output to its writing to disk, in milliseconds, unless there is much of it. */
export const WRITE_DELAY_MS = 100;
/** The most bytes of one process that wait to be written to disk. If the disk is slower, the next ones are left out. */
export const WRITE_QUEUE_BYTES = 2 * 1024 * 1024;
/** How much output is on disk, of each process and of all together, unless a client says otherwise. */
export const DEFAULT_DISK_LIMITS = { bytes: 20 * 1024 * 1024, allBytes: 200 * 1024 * 1024 } as const;
/**
 * The most processes that may have files with output. A file of a process with very little output is hardly more than
 * its name.
 */
export const MOST_OUTPUT_FILES = 2_000;
/** The time from a writing to the check of these limits, in milliseconds. */
export const DISK_CHECK_MS = 2_000;
/** The most bytes of output that one reading of a file gives. */
export const MOST_READ_FROM_DISK = 1024 * 1024;
