import { isRecord } from '../../core/index.js';
import { MessageFault, parseJson, scanMessage } from './scanMessage.js';

/** A message of a client. `id` is JSON as the client wrote it. */
export type ClientMessage =
  | { readonly kind: 'request'; readonly id: string; readonly method: string; readonly params: unknown }
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  /** An answer, although servers make no requests. */
  | { readonly kind: 'answer' };

/**
 * Reads a client's message. An answer is not a fault here. Like the real server, ours ends the connection at an answer;
 * it only refuses a text that is not a message.
 *
 * @throws MessageFault
 */
export function parseClientMessage(text: string): ClientMessage {
  const id = scanMessage(text);
  const message = parseJson(text);
  if (!isRecord(message)) {
    throw new MessageFault('a message has to be an object');
  }
  const { method, params } = message;
  if (!('method' in message)) {
    checkAnswer(message, id);
    return { kind: 'answer' };
  }
  if (id !== undefined) {
    checkId(id);
  }
  if (typeof method !== 'string') {
    throw new MessageFault('`method` has to be a string');
  }
  if (id === undefined) {
    return { kind: 'notification', method, params };
  }
  checkTrace(message['trace']);
  return { kind: 'request', id, method, params };
}

const LONGEST_ID = String(-(2n ** 63n)).length;
const LOWEST_ID = -(2n ** 63n);
const HIGHEST_ID = 2n ** 63n - 1n;

/** Checks that an id is a string or an integer of 64 bits. */
function checkId(literal: string): void {
  if (literal.startsWith('"')) {
    return;
  }
  // The length is checked first: BigInt would take seconds for a number of millions of digits.
  if (literal.length <= LONGEST_ID && /^-?[0-9]+$/.test(literal)) {
    const id = BigInt(literal);
    if (id >= LOWEST_ID && id <= HIGHEST_ID) {
      return;
    }
  }
  throw new MessageFault('`id` has to be a string or an integer of 64 bits');
}

function checkTrace(trace: unknown): void {
  const given = trace ?? {};
  if (Array.isArray(given)) {
    return;
  }
  const isText = (member: unknown) => typeof (member ?? '') === 'string';
  if (!isRecord(given) || !isText(given['traceparent']) || !isText(given['tracestate'])) {
    throw new MessageFault('`trace` has to be an object whose `traceparent` and `tracestate` are strings');
  }
}

function checkAnswer(message: Readonly<Record<string, unknown>>, id: string | undefined): void {
  if (!('result' in message) && !isErrorObject(message['error'])) {
    throw new MessageFault('it has no `method`, and no `result` or `error` with a code and a message');
  }
  if (id === undefined) {
    throw new MessageFault('an answer has to have an `id`');
  }
  checkId(id);
}

/** Whether a value is a well-formed `error` of an answer. */
export function isErrorObject(error: unknown): boolean {
  return isRecord(error) && Number.isInteger(error['code']) && typeof error['message'] === 'string';
}
