import { messageOf, oneLine } from '../core/index.js';

/** The name of a client that gives no name of its own. */
const NAMELESS = 'MCP client';
const LONGEST_NAME = 60;
const LONGEST_LINE = 300;

/**
 * Makes a name from a client's information about itself, from its title if it has one. The name is one line of at most
 * 60 characters, without anything that a terminal or a list would interpret.
 */
export function clientNameOf(clientInfo: unknown): string {
  const { title, name } = (clientInfo ?? {}) as { readonly title?: unknown; readonly name?: unknown };
  return shortName(title) ?? shortName(name) ?? NAMELESS;
}

function shortName(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const line = oneLine(text, LONGEST_NAME);
  // Names that differ only in invisible joiners would look the same.
  return oneLine(line.replaceAll(/[\p{C}\ufe00-\ufe0f]/gu, ' ')) || undefined;
}

/** Writes an error as one line of a log. No text from outside can make that line long, or make it look like several. */
export function logLine(error: unknown, what?: string): string {
  const line = `MCP: ${what === undefined ? '' : `${what}: `}${messageOf(error)}`;
  return oneLine(line, LONGEST_LINE);
}

/**
 * Replaces lone surrogates by U+FFFD in all texts of plain data. JSON can carry them, but some clients and exec-servers
 * treat the whole message as broken, and no answer comes.
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
