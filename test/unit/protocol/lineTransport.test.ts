import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { PassThrough, Writable } from 'node:stream';

import { CLOSE_LIMIT_MS, lineTransport, type Transport } from '../../../src/protocol/index.js';
import { FakeClock } from '../../support/fakeClock.js';
import { handedTo, turns } from './fakeTransport.js';

/** Both ends of a Unix socket, or of a named pipe. */
async function socketPair(): Promise<{ one: net.Socket; other: net.Socket; dispose: () => void }> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-lines-'));
  const address =
    process.platform === 'win32' ? `\\\\.\\pipe\\${path.basename(folder)}` : path.join(folder, 'socket');
  const server = net.createServer().listen(address);
  await once(server, 'listening');
  const one = net.connect(address);
  const [[other]] = (await Promise.all([once(server, 'connection'), once(one, 'connect')])) as [
    [net.Socket],
    [],
  ];
  const dispose = () => {
    one.destroy();
    other.destroy();
    server.close();
    fs.rmSync(folder, { recursive: true, force: true });
  };
  return { one, other, dispose };
}

function ended(transport: Transport): Promise<string> {
  return new Promise((resolve) => {
    if (transport.end === undefined) {
      transport.onEnd(({ reason }) => resolve(reason));
    } else {
      resolve(transport.end.reason);
    }
  });
}

/** Resolves with the first `count` messages, as soon as they have arrived. */
function received(transport: Transport, count: number): Promise<string[]> {
  return new Promise((resolve) => {
    const messages: string[] = [];
    transport.onMessage = (message) => {
      messages.push(message);
      if (messages.length === count) {
        resolve(messages);
      }
    };
  });
}

/** Resolves with an uncaught error. Meanwhile mocha, which would count it as its own, does not listen. */
async function uncaught(run: () => void): Promise<unknown> {
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  try {
    const error = new Promise((resolve) => process.once('uncaughtException', resolve));
    run();
    return await error;
  } finally {
    others.forEach((other) => process.on('uncaughtException', other));
  }
}

describe('lineTransport', () => {
  it('carries bytes in order with lines, to a listener that expects them', async () => {
    const { one, other, dispose } = await socketPair();
    try {
      assert.equal(lineTransport(one, one, { peer: 'x' }).carriesBytes, false);
      const [left, right] = [one, other].map((socket) =>
        lineTransport(socket, socket, { peer: 'x', carriesBytes: true }),
      );
      assert.ok(left?.carriesBytes === true && right !== undefined);
      const messages: unknown[] = [];
      const last = new Promise<void>((resolve) => {
        right.onMessage = (message) => {
          messages.push(message);
          if (message === 'last') resolve();
        };
      });
      right.onBytes = (bytes) => messages.push(Buffer.from(bytes));
      const large = Buffer.alloc(200_000, 0x0a);
      let flushed = 0;
      left.send('a');
      left.sendBytes(Buffer.of(0, 0x0a, 255), () => (flushed += 1));
      left.sendBytes(Buffer.alloc(0));
      left.send('b');
      left.sendBytes(large);
      left.send('last');
      await last;
      assert.deepEqual(messages, ['a', Buffer.of(0, 0x0a, 255), Buffer.alloc(0), 'b', large, 'last']);
      assert.equal(flushed, 1);
      left.destroy('over');
      left.sendBytes(Buffer.of(1), () => assert.fail('It was sent after the end.'));
    } finally {
      dispose();
    }
  });

  it('carries messages both ways, in order', async () => {
    const { one, other, dispose } = await socketPair();
    try {
      const [left, right] = [one, other].map((socket) => lineTransport(socket, socket, { peer: 'x' }));
      assert.ok(left !== undefined && right !== undefined);
      const messages = ['{"a":1}', '{"é":"😀"}', `{"long":"${'x'.repeat(1_000_000)}"}`, '{"z":0}'];
      const there = received(right, messages.length);
      const back = received(left, messages.length);
      messages.forEach((message) => left.send(message));
      messages.forEach((message) => right.send(message));
      assert.deepEqual(await there, messages);
      assert.deepEqual(await back, messages);
    } finally {
      dispose();
    }
  });

  it('keeps messages that arrive before there is a listener', async () => {
    const stream = new PassThrough();
    const transport = lineTransport(stream, new PassThrough(), { peer: 'x' });
    stream.write('1\n2\n');
    await turns();
    const messages: string[] = [];
    transport.onMessage = (message) => messages.push(message);
    stream.write('3\n');
    await turns();
    assert.deepEqual(messages, ['1', '2', '3']);
  });

  it('goes on after a listener that throws', async () => {
    const stream = new PassThrough();
    const transport = lineTransport(stream, new PassThrough(), { peer: 'x' });
    const messages: string[] = [];
    transport.onMessage = (message) => {
      messages.push(message);
      if (messages.length === 1) {
        throw new Error('a fault of the listener');
      }
    };
    const error = await uncaught(() => stream.write('1\n2\n'));
    assert.deepEqual(error, new Error('a fault of the listener'));
    await turns();
    assert.deepEqual(messages, ['1', '2']);
    assert.equal(transport.end, undefined);
  });

  it('hands on all that waited, though the listener throws', async () => {
    const stream = new PassThrough();
    const transport = lineTransport(stream, new PassThrough(), { peer: 'x' });
    stream.write('1\n2\n');
    await turns();
    const messages: string[] = [];
    const error = await uncaught(() => {
      transport.onMessage = (message) => {
        messages.push(message);
        if (messages.length === 1) {
          throw new Error('a fault of the listener');
        }
      };
    });
    assert.deepEqual(error, new Error('a fault of the listener'));
    assert.deepEqual(messages, ['1', '2']);
  });

  it('hands on nothing after a listener has closed it', async () => {
    const stream = new PassThrough();
    const transport = lineTransport(stream, new PassThrough(), { peer: 'x' });
    const messages: string[] = [];
    transport.onMessage = (message) => {
      messages.push(message);
      transport.close();
    };
    stream.write('1\n2\n');
    await turns();
    assert.deepEqual(messages, ['1']);
  });

  it('ends without a reason at the end of input, and leaves out a line that is not complete', async () => {
    const stream = new PassThrough();
    const transport = lineTransport(stream, new PassThrough(), { peer: 'x' });
    const messages: string[] = [];
    transport.onMessage = (message) => messages.push(message);
    stream.end('whole\nhalf');
    assert.equal(await ended(transport), '');
    assert.deepEqual(messages, ['whole']);
  });

  it('ends at a line that is too long', async () => {
    const stream = new PassThrough();
    const transport = lineTransport(stream, new PassThrough(), { peer: 'x', maxLineBytes: 10 });
    stream.write('0123456789\n01234567890');
    assert.match(await ended(transport), /a line of more than 10 bytes/);
    assert.ok(stream.destroyed);
  });

  it('says when a message has been handed to the system, and not before', async () => {
    const held: (() => void)[] = [];
    const slow = new Writable({ write: (_, __, done) => void held.push(done) });
    const transport = lineTransport(new PassThrough(), slow, { peer: 'x' });
    const flushed: string[] = [];
    const send = (message: string) => transport.send(message, () => flushed.push(message));
    send('first');
    send('second');
    await turns();
    assert.equal(flushed.join(), '');
    assert.equal(transport.bufferedBytes, 'first\nsecond\n'.length);
    held.shift()?.();
    await turns();
    assert.equal(flushed.join(), 'first');
    transport.destroy('over');
    held.shift()?.();
    send('third');
    await turns();
    assert.equal(flushed.join(), 'first');
    assert.equal(transport.bufferedBytes, 0);
  });

  it('makes a peer wait that sends more than is read', async () => {
    const { one, other, dispose } = await socketPair();
    try {
      const [left, right] = [one, other].map((socket) => lineTransport(socket, socket, { peer: 'x' }));
      assert.ok(left !== undefined && right !== undefined);
      right.setPaused(true);
      let count = 0;
      right.onMessage = () => (count += 1);
      const message = 'x'.repeat(65_535);
      let flushed = 0;
      for (let sent = 0; sent < 200; sent++) {
        left.send(message, () => (flushed += 1));
      }
      await turns(200);
      assert.equal(count, 0);
      assert.ok(flushed < 100, `${flushed} were taken`);
      assert.ok(left.bufferedBytes > 0);
      const all = new Promise<void>((resolve) => {
        right.onMessage = () => {
          count += 1;
          if (count === 200) {
            resolve();
          }
        };
      });
      right.setPaused(false);
      await all;
      assert.equal(left.bufferedBytes, 0);
    } finally {
      dispose();
    }
  });

  it('hands the messages of one turn to the system in one call, and before an end by force', async () => {
    const { one, other, dispose } = await socketPair();
    try {
      const left = lineTransport(one, one, { peer: 'x', carriesBytes: true });
      const right = lineTransport(other, other, { peer: 'x', carriesBytes: true });
      const calls = handedTo(one);
      const messages = received(right, 2);
      left.send('"text"');
      left.send(Buffer.from('"bytes"'));
      await turns();
      assert.deepEqual(calls, [3]);
      assert.deepEqual(await messages, ['"text"', '"bytes"']);
      const last = received(right, 1);
      left.send('"last"');
      left.destroy('over');
      assert.deepEqual(await last, ['"last"']);
    } finally {
      dispose();
    }
  });

  it('sends what is queued before it closes', async () => {
    const { one, other, dispose } = await socketPair();
    try {
      const [left, right] = [one, other].map((socket) => lineTransport(socket, socket, { peer: 'x' }));
      assert.ok(left !== undefined && right !== undefined);
      const messages = Array.from({ length: 100 }, (_, index) => `${index}${'x'.repeat(50_000)}`);
      const there = received(right, messages.length);
      messages.forEach((message) => left.send(message));
      left.close('enough');
      left.send('too late');
      // Input that was still on its way must not turn the close into a reset.
      right.send('unread');
      assert.deepEqual(await there, messages);
      assert.equal(await ended(right), '');
      assert.equal(await ended(left), 'enough');
    } finally {
      dispose();
    }
  });

  it('ends by force when the other side does not let it go', async () => {
    const clock = new FakeClock();
    const stuck = new Writable({ write: () => undefined });
    const stream = new PassThrough();
    const transport = lineTransport(stream, stuck, { peer: 'x', clock });
    transport.send('x');
    transport.close();
    clock.advance(CLOSE_LIMIT_MS - 1);
    await turns();
    assert.equal(transport.end, undefined);
    clock.advance(1);
    assert.deepEqual(transport.end, { reason: 'closed' });
    assert.ok(stuck.destroyed && stream.destroyed);
    assert.equal(clock.pendingTimers, 0);
  });

  it('closes at once, and sets no limit any more, when the other side lets it go, though it was paused', async () => {
    const clock = new FakeClock();
    const stream = new PassThrough();
    const transport = lineTransport(stream, new PassThrough(), { peer: 'x', clock });
    transport.setPaused(true);
    stream.end('x\n');
    transport.close();
    assert.equal(await ended(transport), 'closed');
    assert.equal(clock.pendingTimers, 0);
  });

  it('ends when it cannot write any more', async () => {
    const sink = new PassThrough();
    const transport = lineTransport(new PassThrough(), sink, { peer: 'x' });
    sink.destroy();
    assert.equal(await ended(transport), 'the connection was closed');
  });

  it('says that the connection was reset', async function () {
    const server = net.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
    const [[accepted]] = (await Promise.all([once(server, 'connection'), once(client, 'connect')])) as [
      [net.Socket],
      [],
    ];
    try {
      const transport = lineTransport(client, client, { peer: 'x' });
      accepted.resetAndDestroy();
      assert.equal(await ended(transport), 'the connection was reset');
    } finally {
      client.destroy();
      server.close();
    }
  });

  it('ends, and throws nothing, when the program that read is gone', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.once("data", () => process.exit())'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const transport = lineTransport(child.stdout, child.stdin, { peer: 'stdio' });
    const over = ended(transport);
    transport.send('go');
    await once(child, 'exit');
    for (let count = 0; count < 100; count++) {
      transport.send('x'.repeat(10_000));
    }
    assert.match(await over, /^(|the other side no longer reads|the connection was (closed|reset))$/);
    transport.send('x');
    transport.close();
    transport.destroy('x');
    await turns();
  });

  it('tells one end, the first', () => {
    const transport = lineTransport(new PassThrough(), new PassThrough(), { peer: 'x' });
    const ends: string[] = [];
    transport.onEnd(({ reason }) => ends.push(reason));
    transport.destroy('one');
    transport.destroy('two');
    transport.close('three');
    assert.deepEqual(ends, ['one']);
    assert.deepEqual(transport.end, { reason: 'one' });
  });
});
