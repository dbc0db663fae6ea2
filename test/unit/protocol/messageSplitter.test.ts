import assert from 'node:assert/strict';

import fc from 'fast-check';

import {
  frameHeader,
  FrameTooLongError,
  LineTooLongError,
} from '../../../src/protocol/transport/messageSplitter.js';
import { MessageSplitter } from '../../../src/protocol/transport/messageSplitter.js';

const MIB = 1024 * 1024;

/** The bytes in pieces that end at these places. */
function* pieces(bytes: Buffer, cuts: readonly number[]): Generator<Buffer> {
  let start = 0;
  for (const end of [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort(
    (one, two) => one - two,
  )) {
    yield bytes.subarray(start, end);
    start = end;
  }
}

describe('MessageSplitter', () => {
  it('makes the same lines of any pieces @property', () => {
    const line = fc.string({ unit: 'grapheme' }).filter((text) => !/[\r\n]/.test(text));
    const ending = fc.constantFrom('\n', '\r\n', '\n\n', '\r\n  \n');
    const lines = fc.array(fc.tuple(line, ending), { maxLength: 10 });
    fc.assert(
      fc.property(lines, line, fc.array(fc.nat(), { maxLength: 20 }), (written, rest, cuts) => {
        const splitter = new MessageSplitter(MIB, () => false);
        const bytes = Buffer.from(written.flat().join('') + rest);
        const found = [...pieces(bytes, cuts)].flatMap((piece) => [...splitter.push(piece)]);
        assert.deepEqual(
          found,
          written.map(([text]) => text).filter((text) => text.trim() !== ''),
        );
      }),
    );
  });

  it('holds a line as long as it may be, and no longer', () => {
    const splitter = new MessageSplitter(10, () => false);
    assert.deepEqual(
      [...splitter.push(Buffer.from('0123456789\n0123456789\n'))],
      ['0123456789', '0123456789'],
    );
    assert.deepEqual([...splitter.push(Buffer.from('01234'))], []);
    assert.throws(() => [...splitter.push(Buffer.from('567890'))], LineTooLongError);
  });

  it('hands on the lines before one that is too long', () => {
    const splitter = new MessageSplitter(3, () => false);
    const lines = splitter.push(Buffer.from('abc\nabcd'));
    assert.deepEqual(lines.next(), { done: false, value: 'abc' });
    assert.throws(() => lines.next(), LineTooLongError);
  });

  it('makes no message of bytes that are no text, and goes on', () => {
    const splitter = new MessageSplitter(MIB, () => false);
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}\n{}\n')]);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const lines = [...pieces(bytes, [cut])].flatMap((piece) => [...splitter.push(piece)]);
      assert.deepEqual(lines, ['\ufffd{"a":"\ufffd("}', '{}']);
    }
  });

  it('holds single bytes in about as much memory as they are', () => {
    const splitter = new MessageSplitter(64 * MIB, () => false);
    const before = process.memoryUsage().rss;
    for (let count = 0; count < MIB; count++) {
      // Each has memory of its own, as with a socket.
      assert.equal(splitter.push(Buffer.allocUnsafeSlow(1).fill('x')).next().done, true);
    }
    // If they were kept like that, they would take 400 MiB.
    assert.ok(process.memoryUsage().rss - before < 200 * MIB);
    assert.equal([...splitter.push(Buffer.from('\n'))][0]?.length, MIB);
  });

  it('takes a long line in small pieces in time that is in proportion', () => {
    const splitter = new MessageSplitter(64 * MIB, () => false);
    const piece = Buffer.alloc(512, 'x');
    // Joining at each piece would copy 1 TiB, and outlast the limit of a test.
    for (let count = 0; count < 64 * 1024; count++) {
      assert.equal(splitter.push(piece).next().done, true);
    }
    const [line = ''] = splitter.push(Buffer.from('\n'));
    assert.equal(line.length, 32 * MIB);
  });

  describe('with frames', () => {
    const bytes = fc.uint8Array({ maxLength: 50 }).map((array) => Buffer.from(array));

    it('makes the same messages of any pieces, in their order @property', () => {
      const line = fc.string({ minLength: 1 }).filter((text) => !/^\0|^\s*$|[\r\n]/.test(text));
      fc.assert(
        fc.property(
          fc.array(fc.oneof(line, bytes)),
          fc.array(fc.nat(), { maxLength: 20 }),
          (messages, cuts) => {
            const splitter = new MessageSplitter(MIB, () => true);
            const written = messages.map((message) =>
              typeof message === 'string'
                ? Buffer.from(`${message}\n`)
                : Buffer.concat([frameHeader(message.length), message]),
            );
            const found: (string | Buffer)[] = [];
            for (const piece of pieces(Buffer.concat(written), cuts)) {
              for (const message of splitter.push(piece)) {
                // A frame is valid only until the next message is taken.
                found.push(typeof message === 'string' ? message : Buffer.from(message));
              }
            }
            assert.deepEqual(found, messages);
          },
        ),
      );
    });

    it('takes them for text until a message says that frames are expected', () => {
      let expected = false;
      const splitter = new MessageSplitter(MIB, () => expected);
      const frame = Buffer.concat([frameHeader(2), Buffer.from('ab')]);
      const messages = splitter.push(Buffer.concat([frame, Buffer.from('\n{}\n'), frame]));
      assert.equal(messages.next().value, '\0\0\0\0\x02ab');
      assert.equal(messages.next().value, '{}');
      expected = true;
      assert.deepEqual(messages.next().value, Buffer.from('ab'));
      assert.equal(messages.next().done, true);
    });

    it('sees none in the middle of a line', () => {
      const splitter = new MessageSplitter(MIB, () => true);
      assert.deepEqual([...splitter.push(Buffer.from('a'))], []);
      assert.deepEqual([...splitter.push(Buffer.from('\0\0\0\0\x02\n'))], ['a\0\0\0\0\x02']);
    });

    it('holds a frame as long as it may be, and no longer', () => {
      const splitter = new MessageSplitter(10, () => true);
      const longest = Buffer.concat([frameHeader(10), Buffer.alloc(10)]);
      assert.deepEqual([...splitter.push(longest)], [Buffer.alloc(10)]);
      // It throws before any byte of the content has arrived.
      assert.throws(() => [...splitter.push(frameHeader(11))], FrameTooLongError);
    });
  });
});
