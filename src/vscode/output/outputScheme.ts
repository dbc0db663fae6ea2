/** The scheme of the addresses of documents with output. */
export const OUTPUT_SCHEME = 'exec-session';
