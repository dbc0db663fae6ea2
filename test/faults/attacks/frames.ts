import { randomBytes } from 'node:crypto';

import type { Random } from '../../support/random.js';

/** The operation codes of RFC 6455, section 5.2. */
const CONTINUATION = 0;
const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

const NOT_UTF8 = Buffer.from([0xc3, 0x28, 0xff]);

/** Frames that a WebSocket has to refuse by ending the connection. */
export interface BrokenFrames {
  readonly name: string;
  /** @param isMasked Clients mask their frames, and servers do not. */
  readonly bytes: (isMasked: boolean, random: Random) => Buffer;
}

export const brokenFrames: readonly [BrokenFrames, ...BrokenFrames[]] = [
  { name: 'the wrong masking', bytes: (isMasked) => frame({ isMasked: !isMasked, payload: '{}' }) },
  ...[0x40, 0x20, 0x10].map((bit) => ({
    name: `the reserved bit ${bit}`,
    bytes: (isMasked: boolean) => frame({ isMasked, reserved: bit, payload: '{}' }),
  })),
  ...[3, 7, 11, 15].map((opcode) => ({
    name: `the reserved operation ${opcode}`,
    bytes: (isMasked: boolean) => frame({ isMasked, opcode, payload: '{}' }),
  })),
  ...[CLOSE, PING, PONG].map((opcode) => ({
    name: `a control frame ${opcode} in pieces`,
    bytes: (isMasked: boolean) => frame({ isMasked, opcode, isLast: false }),
  })),
  {
    name: 'a ping that is too long',
    bytes: (isMasked) => frame({ isMasked, opcode: PING, payload: 'x'.repeat(126) }),
  },
  { name: 'a text that is no UTF-8', bytes: (isMasked) => frame({ isMasked, payload: NOT_UTF8 }) },
  {
    name: 'a continuation of nothing',
    bytes: (isMasked) => frame({ isMasked, opcode: CONTINUATION, payload: '{}' }),
  },
  {
    name: 'a message within another one',
    bytes: (isMasked) =>
      Buffer.concat([frame({ isMasked, isLast: false, payload: '{' }), frame({ isMasked, payload: '{}' })]),
  },
  {
    name: 'a text in pieces that is no UTF-8',
    bytes: (isMasked) =>
      Buffer.concat([
        frame({ isMasked, isLast: false, payload: '"' }),
        frame({ isMasked, opcode: CONTINUATION, payload: NOT_UTF8 }),
      ]),
  },
  {
    name: 'a length of 2^63',
    bytes: (isMasked) => Buffer.from([0x81, 0x7f | mask(isMasked), 0x80, 0, 0, 0, 0, 0, 0, 0]),
  },
  {
    name: 'a length of 2^53',
    bytes: (isMasked) => Buffer.from([0x81, 0x7f | mask(isMasked), 0, 0x20, 0, 0, 0, 0, 0, 0]),
  },
  {
    name: 'a length of 1 GiB',
    bytes: (isMasked) => Buffer.from([0x81, 0x7f | mask(isMasked), 0, 0, 0, 0, 0x40, 0, 0, 0]),
  },
  { name: 'an end of one byte', bytes: (isMasked) => frame({ isMasked, opcode: CLOSE, payload: '\x03' }) },
  ...[0, 999, 1004, 1005, 1006, 1015, 5_000].map((code) => ({
    name: `an end with the code ${code}`,
    bytes: (isMasked: boolean) =>
      frame({ isMasked, opcode: CLOSE, payload: Buffer.from([code >> 8, code & 0xff]) }),
  })),
  {
    name: 'an end for a reason that is no UTF-8',
    bytes: (isMasked) =>
      frame({ isMasked, opcode: CLOSE, payload: Buffer.concat([Buffer.from([0x03, 0xe8]), NOT_UTF8]) }),
  },
  {
    name: 'bytes by chance',
    // The reserved bits make sure that it is nothing valid.
    bytes: (_, random) => Buffer.concat([Buffer.from([0xf0]), randomBytesOf(random)]),
  },
];

interface Frame {
  readonly isMasked: boolean;
  readonly opcode?: number;
  readonly reserved?: number;
  readonly isLast?: boolean;
  readonly payload?: string | Buffer;
}

/** A frame with at most 65,535 bytes, right or wrong as asked for. */
function frame({ isMasked, opcode = TEXT, reserved = 0, isLast = true, payload = '' }: Frame): Buffer {
  const bytes = Buffer.from(payload);
  const first = (isLast ? 0x80 : 0) | reserved | opcode;
  const length =
    bytes.byteLength < 126 ? [bytes.byteLength] : [126, bytes.byteLength >> 8, bytes.byteLength & 0xff];
  const [shortLength = 0, ...moreLength] = length;
  const head = Buffer.from([first, shortLength | mask(isMasked), ...moreLength]);
  if (!isMasked) return Buffer.concat([head, bytes]);
  const key = randomBytes(4);
  return Buffer.concat([head, key, bytes.map((byte, index) => byte ^ (key[index % 4] ?? 0))]);
}

function mask(isMasked: boolean): number {
  return isMasked ? 0x80 : 0;
}

function randomBytesOf(random: Random): Buffer {
  return Buffer.from(Array.from({ length: random.between(1, 200) }, () => random.between(0, 255)));
}
