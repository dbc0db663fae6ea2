import { MessageFault, scanMessage } from './scanMessage.js';

/** What a client sent. `id` is as it was written. */
export type ClientMessage =
  | { readonly kind: 'request'; readonly id: string; readonly method: string; readonly params: unknown }
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  /** It answers a request, and no server has made any. */
  | { readonly kind: 'answer' };

/**
 * Reads a client's message.
 *
 * @throws MessageFault what the real server says of it.
 */
export function parseClientMessage(text: string): ClientMessage {
  const id = scanMessage(text);
  const message = parseScanned(text);
  if (!isObject(message)) {
    throw new MessageFault('expected a JSON-RPC object');
  }
  if (!('method' in message)) {
    checkAnswer(message, id);
    return { kind: 'answer' };
  }
  const { method, params } = message;
  if (id !== undefined) {
    checkId(id);
  }
  if (typeof method !== 'string') {
    throw new MessageFault(`invalid type: ${typeName(method)}, expected a string`);
  }
  if (id === undefined) {
    return { kind: 'notification', method, params };
  }
  checkTrace(message['trace']);
  return { kind: 'request', id, method, params };
}

function parseScanned(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    scanMessage(text, { controlCharacters: true });
    throw new MessageFault(error instanceof Error ? error.message : String(error));
  }
}

const LONGEST_ID = String(-(2n ** 63n)).length;
const LOWEST_ID = -(2n ** 63n);
const HIGHEST_ID = 2n ** 63n - 1n;

/** A string, or an integer of 64 bits. */
function checkId(literal: string): void {
  if (literal.startsWith('"')) {
    return;
  }
  // A number of millions of digits would take seconds to read.
  if (literal.length <= LONGEST_ID && /^-?[0-9]+$/.test(literal)) {
    const id = BigInt(literal);
    if (id >= LOWEST_ID && id <= HIGHEST_ID) {
      return;
    }
  }
  throw new MessageFault('data did not match any variant of untagged enum RequestId');
}

function checkTrace(trace: unknown): void {
  if (trace === undefined || trace === null || Array.isArray(trace)) {
    return;
  }
  if (!isObject(trace)) {
    throw new MessageFault(`invalid type: ${typeName(trace)}, expected struct W3cTraceContext`);
  }
  for (const member of [trace['traceparent'], trace['tracestate']]) {
    if (member !== undefined && member !== null && typeof member !== 'string') {
      throw new MessageFault(`invalid type: ${typeName(member)}, expected a string`);
    }
  }
}

function checkAnswer(message: Readonly<Record<string, unknown>>, id: string | undefined): void {
  if (!('result' in message)) {
    checkError(message['error'], 'error' in message);
  }
  if (id === undefined) {
    throw new MessageFault('missing field `id`');
  }
  checkId(id);
}

function checkError(error: unknown, present: boolean): void {
  if (!present) {
    throw new MessageFault('missing field `error`');
  }
  if (!isObject(error)) {
    throw new MessageFault(`invalid type: ${typeName(error)}, expected struct JSONRPCErrorError`);
  }
  for (const member of ['code', 'message']) {
    if (!(member in error)) {
      throw new MessageFault(`missing field \`${member}\``);
    }
  }
  if (!Number.isInteger(error['code'])) {
    throw new MessageFault('invalid number');
  }
  if (typeof error['message'] !== 'string') {
    throw new MessageFault(`invalid type: ${typeName(error['message'])}, expected a string`);
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What the real server calls a value that should have been something else. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) {
    return 'null';
  }
  if (typeof value === 'string') {
    return `string ${quoted(value)}`;
  }
  if (typeof value === 'boolean') {
    return `boolean \`${value}\``;
  }
  if (typeof value === 'number') {
    return 'number';
  }
  return Array.isArray(value) ? 'sequence' : 'map';
}

const ESCAPES: Readonly<Record<string, string>> = { '\t': '\\t', '\r': '\\r', '\n': '\\n', '\0': '\\0' };

/** How much of a string is quoted. The real server quotes all; ours would be busy for seconds with a long one. */
const QUOTED_CHARACTERS = 65_536;

/** A string as Rust shows it to programmers. */
function quoted(text: string): string {
  const inside = text
    .slice(0, QUOTED_CHARACTERS)
    .replace(/["\\]/g, (character) => `\\${character}`)
    .replace(
      /(?! )[\p{C}\p{Z}\p{Grapheme_Extend}]/gu,
      (character) => ESCAPES[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
    );
  return `"${inside}"`;
}
