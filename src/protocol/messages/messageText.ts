/** `\\`, which stands for itself, or half a character: `JSON.stringify` writes no whole one as an escape. */
const ESCAPES = /\\\\|\\ud[89a-f][0-9a-f]{2}/g;

/**
 * A message as JSON. Half characters (lone surrogates) become U+FFFD: a real server takes a message with one for broken,
 * and its answer to that names no request, so that the caller would wait for ever.
 */
export function messageText(message: unknown): string {
  const text = JSON.stringify(message);
  return text.includes('\\ud')
    ? text.replace(ESCAPES, (escape) => (escape === '\\\\' ? escape : '\ufffd'))
    : text;
}
