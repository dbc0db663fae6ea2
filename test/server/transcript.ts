import { root } from '../rig/paths.js';
import type { RawClient } from './rawClient.js';

type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };
type Message = Readonly<Record<string, Json>>;

interface Line {
  readonly way: '->' | '<-' | '--';
  readonly message: Message | string;
}

/** Members whose values differ from run to run, or from machine to machine. */
const VOLATILE = new Set([
  'PATH',
  'closedAt',
  'executorVersion',
  'exitedAt',
  'handle',
  'pid',
  'providerId',
  'sandbox',
  'sessionId',
  'shell',
  'signals',
  'startedAt',
  'tempDir',
  'temporaryDirectories',
  'userHomeDir',
]);

/**
 * The messages between a client and a server from now on, one a line. To be the same in each run, a test asks for one
 * thing at a time and waits for all that follows from it. One thing remains uncertain: the answer or a notification may
 * come first. So an answer stands directly below its request.
 */
export class Transcript {
  readonly #lines: Line[] = [];

  constructor({ transport }: RawClient) {
    const { onMessage } = transport;
    const send = transport.send.bind(transport);
    transport.send = (message, flushed) => {
      this.#lines.push({ way: '->', message: parsed(String(message)) });
      send(message, flushed);
    };
    transport.onMessage = (text) => {
      this.#hear(parsed(text));
      onMessage(text);
    };
    transport.onEnd(() => this.#lines.push({ way: '--', message: 'the connection has ended' }));
  }

  toString(): string {
    const text = this.#lines.map(({ way, message }) => `${way} ${shown(message)}\n`).join('');
    return text.replaceAll(root, '<root>').replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>');
  }

  #hear(message: Message | string): void {
    const id = idOf(message);
    const request =
      id === undefined
        ? -1
        : this.#lines.findLastIndex((line) => line.way === '->' && idOf(line.message) === id);
    const place = request === -1 ? this.#lines.length : request + 1;
    this.#lines.splice(place, 0, { way: '<-', message });
  }
}

function idOf(message: Message | string): Json | undefined {
  return typeof message === 'string' ? undefined : message['id'];
}

function parsed(text: string): Message | string {
  try {
    return JSON.parse(text) as Message;
  } catch {
    return text;
  }
}

function shown(message: Message | string): string {
  return typeof message === 'string' ? message : JSON.stringify(stable(message));
}

/** The value with its members in alphabetical order, and nothing volatile. */
function stable(value: Json, name = ''): Json {
  if (VOLATILE.has(name) && value !== null) {
    return `<${name}>`;
  }
  if (name === 'chunk' && typeof value === 'string') {
    const bytes = Buffer.from(value, 'base64');
    return bytes.toString('base64') === value ? `base64 of ${bytes.toString()}` : value;
  }
  if (isArray(value)) {
    return value.map((item) => stable(item));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([member, inner]) => [member, stable(inner, member)]));
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
