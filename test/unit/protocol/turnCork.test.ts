import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';

import { TurnCork } from '../../../src/protocol/transport/turnCork.js';

/** A stream that keeps what each call to the system would have got. */
function recorder(): { stream: Writable; calls: string[] } {
  const calls: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      calls.push(chunk);
      done();
    },
    writev: (chunks, done) => {
      calls.push(chunks.map(({ chunk }) => chunk as string).join(''));
      done();
    },
  });
  return { stream, calls };
}

function send(cork: TurnCork, stream: Writable, text: string): void {
  cork.begin();
  stream.write(text);
  cork.end();
}

describe('TurnCork', () => {
  it('hands the messages of one turn of the event loop to the system in one call, at its end', async () => {
    const { stream, calls } = recorder();
    const cork = new TurnCork(stream);
    ['a', 'b', 'c'].forEach((text) => send(cork, stream, text));
    await Promise.resolve();
    send(cork, stream, 'd');
    assert.deepEqual(calls, []);
    await turn();
    assert.deepEqual(calls, ['abcd']);
    send(cork, stream, 'e');
    await turn();
    assert.deepEqual(calls, ['abcd', 'e']);
  });

  it('holds no more than 16 KiB, and nothing that is released', async () => {
    const { stream, calls } = recorder();
    const cork = new TurnCork(stream);
    const block = 'x'.repeat(8 * 1024);
    send(cork, stream, block);
    assert.deepEqual(calls, []);
    send(cork, stream, block);
    assert.deepEqual(calls, [block + block]);
    send(cork, stream, 'last');
    cork.release();
    assert.deepEqual(calls, [block + block, 'last']);
    send(cork, stream, 'one more');
    stream.end();
    await turn();
    assert.deepEqual(calls.slice(2), ['one more']);
  });
});
