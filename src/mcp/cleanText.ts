import { messageOf } from '../core/index.js';

/** The name of a client that gives no name of its own. */
const NAMELESS = 'MCP client';
const LONGEST_NAME = 60;
const LONGEST_LINE = 300;

/**
 * How much of a text is read to make one line of it, as a multiple of the longest line. The rest is never looked at.
 */
const READ_AHEAD = 10;

/**
 * Makes a name from the information that a client gives about itself, from its title if it has one: one line of at most
 * 60 characters, without anything that a terminal or a list would interpret.
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

/** An error as one line of a log. No text from outside can make that line long, or make it look like several. */
export function logLine(error: unknown, what?: string): string {
  const line = oneLine(`MCP: ${what === undefined ? '' : `${what}: `}${messageOf(error)}`, LONGEST_LINE);
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
}

/** A text without control characters and line ends, cut roughly: it may still be longer than `length`. */
function oneLine(text: string, length: number): string {
  return text
    .slice(0, length * READ_AHEAD)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim();
}

/**
 * Replaces lone surrogates by U+FFFD in all texts of plain data. JSON can carry them, but some clients, and
 * exec-servers, take the whole message for broken then, so that its answer never comes.
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
