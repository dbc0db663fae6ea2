/** The name of a client that does not say what it is called. */
const NAMELESS = 'MCP client';
const LONGEST_NAME = 60;
const LONGEST_LINE = 300;

/** What is read of a text to make one line of it, as a multiple of the longest line: more is never looked at. */
const READ_AHEAD = 10;

/**
 * Makes a name of what a client says of itself, its title if it has one: one line of at most 60 characters, with nothing
 * in it that a terminal or a list would obey.
 */
export function clientNameOf(clientInfo: unknown): string {
  const { title, name } = (clientInfo ?? {}) as { readonly title?: unknown; readonly name?: unknown };
  return shortName(title) ?? shortName(name) ?? NAMELESS;
}

function shortName(text: unknown): string | undefined {
  return typeof text === 'string'
    ? Array.from(oneLine(text, LONGEST_NAME)).slice(0, LONGEST_NAME).join('').trim() || undefined
    : undefined;
}

/** What went wrong, as one line of a log that nobody who sends something can make long, or make look like several. */
export function logLine(error: unknown, what?: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const line = oneLine(`MCP: ${what === undefined ? '' : `${what}: `}${message}`, LONGEST_LINE);
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
}

/** Without control characters and line ends; longer than `length` if the text is. */
function oneLine(text: string, length: number): string {
  return text
    .slice(0, length * READ_AHEAD)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim();
}

/**
 * Puts U+FFFD in the place of half characters in all texts of plain data: JSON can carry them, but there are clients, and
 * exec-servers, that then take the whole message for broken, so that its answer never comes.
 */
export function wellFormed<T>(data: T): T {
  return mended(data) as T;
}

function mended(data: unknown): unknown {
  if (typeof data === 'string') {
    return data.replaceAll(/\p{Surrogate}/gu, '\ufffd');
  }
  if (Array.isArray(data)) {
    return data.map(mended);
  }
  return typeof data === 'object' && data !== null
    ? Object.fromEntries(Object.entries(data).map(([key, value]) => [mended(key), mended(value)]))
    : data;
}
