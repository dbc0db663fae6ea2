/** As the real server, and browsers within a factor of two. */
export const MAX_REDIRECTS = 10;

/**
 * The largest body that is answered at once, and what the bodies of one connection may take together: they stay in
 * memory until they are whole. Whoever wants more asks for a stream.
 */
export const MAX_BUFFERED_BODY_BYTES = 64 * 1024 * 1024;
export const MAX_BUFFERED_BODIES_BYTES = 4 * MAX_BUFFERED_BODY_BYTES;

/** Of a body that is streamed, in one message. */
export const MAX_DELTA_BYTES = 1024 * 1024;

/** Of all bodies that one connection streams, on their way to a client that has not taken them yet. */
export const STREAM_WINDOW_BYTES = 1024 * 1024;

/** Node's own limit, 16 KiB for all headers, is below what the real server takes. */
export const MAX_HEADER_BYTES = 256 * 1024;
