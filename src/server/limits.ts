/** The time for which a connection session waits for its client to come back. Real clients try for 45 s. */
export const DEFAULT_DETACHED_SECONDS = 80;
/**
 * The time that a client on a private socket has to be silent until its session is given to a connection that asks for
 * it. It is far below the 45 s for which clients try.
 */
export const SILENT_HOLDER_MS = 10_000;
/**
 * The time for which a closed process can still be read. It equals the time of a detached session, so that a client
 * that comes back finds all its output.
 */
export const DEFAULT_RETENTION_SECONDS = 80;

/**
 * The most bytes of output of one process that may be on their way to a client that does not acknowledge: enough to
 * keep a fast connection busy. A slow one costs this much memory for each of its processes.
 */
export const UNACKNOWLEDGED_WINDOW_BYTES = 256 * 1024;
/**
 * The largest window that a client may ask for with `windowBytes`. The client chooses it, but the memory is the
 * server's.
 */
export const LARGEST_WINDOW_BYTES = 8 * 1024 * 1024;

/** The number of writes of one process that are remembered to recognize repetitions. */
export const REMEMBERED_WRITES = 4096;

/** The most simultaneous checks of ports for one connection. Each takes two sockets, for a second at most. */
export const CONCURRENT_PROBES = 8;

/** The time for which the server waits for killed processes when it ends. */
export const SHUTDOWN_KILL_MS = 500;
/** The time limit of a server's whole shutdown; remaining processes are left to the guard process. */
export const SHUTDOWN_LIMIT_MS = 2_000;

/** The time for which a server that a bridge has started stays without use. */
export const BRIDGE_SERVER_IDLE_SECONDS = 300;
/** The time for which a bridge waits for its server to listen: a slow machine needs seconds to start Node. */
export const BRIDGE_START_LIMIT_MS = 20_000;
/** The time for which a bridge whose client has left tries to pass on its last messages. */
export const BRIDGE_END_LIMIT_MS = 2_000;
