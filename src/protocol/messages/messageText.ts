/**
 * Matches an escaped backslash, which must be skipped, or the escape of half a character: `JSON.stringify` never
 * escapes a whole character of this range.
 */
const ESCAPES = /\\\\|\\ud[89a-f][0-9a-f]{2}/g;

/**
 * Writes a message as JSON. Half characters (lone surrogates) become U+FFFD: a real server refuses a message that has
 * one. Its error names no request, so the caller would wait for ever.
 */
export function messageText(message: unknown): string {
  const text = JSON.stringify(message);
  return text.includes('\\ud')
    ? text.replace(ESCAPES, (escape) => (escape === '\\\\' ? escape : '\ufffd'))
    : text;
}
