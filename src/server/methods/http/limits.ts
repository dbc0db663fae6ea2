/** Redirects that are followed: as many as with the real server; browsers differ by a factor of two at most. */
export const MAX_REDIRECTS = 10;

/**
 * The largest body that is answered at once, and the largest sum of such bodies of one connection, in bytes. They stay
 * in memory until they are complete. A client that wants more asks for a stream.
 */
export const MAX_BUFFERED_BODY_BYTES = 64 * 1024 * 1024;
export const MAX_BUFFERED_BODIES_BYTES = 4 * MAX_BUFFERED_BODY_BYTES;

/** The most bytes of a streamed body in one message. */
export const MAX_DELTA_BYTES = 1024 * 1024;

/** The most bytes of all streamed bodies of one connection that the client has not taken yet. */
export const STREAM_WINDOW_BYTES = 1024 * 1024;

/** The largest size of all headers of a response. Node's default, 16 KiB, is less than the real server takes. */
export const MAX_HEADER_BYTES = 256 * 1024;
