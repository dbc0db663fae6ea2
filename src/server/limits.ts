/** How long a connection session waits for its client to come back. Real clients try for 45 s. */
export const DEFAULT_DETACHED_SECONDS = 80;
/**
 * How long a client on a private socket has to be silent until its session is given to a connection that asks for it. Far
 * below the 45 s that clients try for.
 */
export const SILENT_HOLDER_MS = 10_000;
/** How long a closed process can still be read: as long, so that whoever comes back finds all of it. */
export const DEFAULT_RETENTION_SECONDS = 80;

/**
 * Output of one process that may be on its way to a client that does not acknowledge: enough to keep a fast connection
 * busy, and what a slow one costs in memory for each of its processes.
 */
export const UNACKNOWLEDGED_WINDOW_BYTES = 256 * 1024;
/** The largest window that a client may ask for with `windowBytes`; it would be the client's memory, and is ours. */
export const LARGEST_WINDOW_BYTES = 8 * 1024 * 1024;

/** Writes of one process whose repetition is recognised. */
export const REMEMBERED_WRITES = 4096;

/** Looks at ports for one connection that go on at the same time. Each is two sockets, for a second at most. */
export const CONCURRENT_PROBES = 8;

/** How long a killed process has until the server no longer waits for it, at its own end. */
export const SHUTDOWN_KILL_MS = 500;
/** The whole end of a server; what is left then is the guard's. */
export const SHUTDOWN_LIMIT_MS = 2_000;

/** How long a server that a bridge has started stays when nobody uses it. */
export const BRIDGE_SERVER_IDLE_SECONDS = 300;
/** How long a bridge waits for its server to listen: a slow machine needs seconds to start Node. */
export const BRIDGE_START_LIMIT_MS = 20_000;
/** How long a bridge whose client has gone tries to pass on the last of it. */
export const BRIDGE_END_LIMIT_MS = 2_000;
