import assert from 'node:assert/strict';

import type { WriteStatus } from '../../../src/core/index.js';
import { WireClosedError } from '../../../src/protocol/index.js';
import { INPUT_BYTES, INPUT_PIECE_BYTES, INPUT_PIECES } from '../../../src/remote/limits.js';
import { RemoteInput } from '../../../src/remote/process/remoteInput.js';
import { assertRejects } from '../../support/assertRejects.js';

interface Sent {
  readonly size: number;
  readonly writeId: string;
  readonly answer: (status: WriteStatus) => void;
  readonly refuse: (error: Error) => void;
}

/** A connection that answers when the test wants it to. */
function setup() {
  const sent: Sent[] = [];
  const state = { connected: true, closes: 0 };
  const input = new RemoteInput('p', {
    send: (bytes, writeId) =>
      new Promise((resolve, reject) =>
        sent.push({ size: bytes.byteLength, writeId, answer: resolve, refuse: reject }),
      ),
    close: () => {
      state.closes += 1;
      return Promise.resolve();
    },
    isConnected: () => state.connected,
  });
  const disconnect = () => {
    state.connected = false;
    sent.splice(0).forEach(({ refuse }) => refuse(new WireClosedError('cut')));
  };
  const connect = () => {
    state.connected = true;
    input.resume();
  };
  return { input, sent, state, disconnect, connect };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const ids = (sent: readonly Sent[]) => sent.map(({ writeId }) => writeId);

describe('The input of a process', () => {
  it('goes out in order, each piece with an id of its own', async () => {
    const { input, sent } = setup();
    const writes = [1, 2, 3].map((size) => input.write(new Uint8Array(size)));
    assert.deepEqual(
      sent.map(({ size, writeId }) => [size, writeId]),
      [
        [1, '1'],
        [2, '2'],
        [3, '3'],
      ],
    );
    sent.forEach(({ answer }) => answer('accepted'));
    assert.deepEqual(await Promise.all(writes), ['accepted', 'accepted', 'accepted']);
  });

  it('is sent again in order with the same ids after a cut, and newer input after it', async () => {
    const { input, sent, disconnect, connect } = setup();
    const writes = [input.write(new Uint8Array(1)), input.write(new Uint8Array(1))];
    sent[0]?.answer('accepted');
    await turn();
    sent.shift();
    disconnect();
    await turn();
    writes.push(input.write(new Uint8Array(1)));
    assert.equal(sent.length, 0);
    connect();
    assert.deepEqual(ids(sent), ['2', '3']);
    sent.forEach(({ answer }) => answer('accepted'));
    assert.deepEqual(await Promise.all(writes), ['accepted', 'accepted', 'accepted']);
  });

  it('of one call goes in pieces, one after the other, and is answered once', async () => {
    const { input, sent } = setup();
    const write = input.write(new Uint8Array(2 * INPUT_PIECE_BYTES + 1));
    for (const [at, status] of (['accepted', 'stdinClosed', 'accepted'] as const).entries()) {
      assert.equal(sent.length, at + 1);
      sent[at]?.answer(status);
      await turn();
    }
    assert.equal(await write, 'stdinClosed');
    assert.deepEqual(
      sent.map(({ size }) => size),
      [INPUT_PIECE_BYTES, INPUT_PIECE_BYTES, 1],
    );
  });

  it('leaves out the rest of a call that was refused', async () => {
    const { input, sent } = setup();
    const first = input.write(new Uint8Array(2 * INPUT_PIECE_BYTES));
    const refusal = assert.rejects(first, /no more/);
    void input.write(new Uint8Array(1));
    sent[0]?.refuse(new Error('no more'));
    await refusal;
    assert.deepEqual(
      sent.map(({ size }) => size),
      [INPUT_PIECE_BYTES, 1],
    );
  });

  it('is bounded under way and in all, and says so', async () => {
    const { input, sent } = setup();
    for (let count = 0; count < INPUT_PIECES + 5; count++) {
      void input.write(new Uint8Array(1));
    }
    assert.equal(sent.length, INPUT_PIECES);
    const error = await assertRejects(
      input.write(new Uint8Array(INPUT_BYTES)),
      -32600,
      /more than 16777216 bytes wait/,
    );
    assert.match(error.message, /"p" takes no more input for now/);
    sent.forEach(({ answer }) => answer('accepted'));
    await turn();
    assert.equal(sent.length, INPUT_PIECES + 5);
  });

  it('is closed after the last write, and takes nothing more', async () => {
    const { input, sent, state } = setup();
    const writes = Array.from({ length: INPUT_PIECES }, () => input.write(new Uint8Array(1)));
    const closed = input.close();
    assert.equal(state.closes, 0);
    assert.equal(await input.write(new Uint8Array(1)), 'stdinClosed');
    sent.forEach(({ answer }) => answer('accepted'));
    await Promise.all([...writes, closed]);
    assert.equal(state.closes, 1);
  });

  it('fails with the process', async () => {
    const { input, sent, disconnect } = setup();
    const write = assert.rejects(input.write(new Uint8Array(1)), /gone/);
    disconnect();
    input.fail(new Error('gone'));
    await write;
    await assert.rejects(input.write(new Uint8Array(1)), /gone/);
    assert.equal(sent.length, 0);
  });
});
