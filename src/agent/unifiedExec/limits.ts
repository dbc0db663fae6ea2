/** How long a request lasts that does not say it, in milliseconds. */
export const DEFAULT_TIMEOUT_MS = 1_000;
/** The longest that a request lasts, in milliseconds. */
export const MAX_TIMEOUT_MS = 60_000;
/** The most output that is kept between two requests, and that one request answers with, in bytes. */
export const OUTPUT_MAX_BYTES = 128 * 1024;
