import assert from 'node:assert/strict';

import { STALL_MS } from '../../src/core/log/logSubscription.js';
import { LARGEST_WINDOW_BYTES } from '../../src/server/limits.js';
import { until } from '../support/until.js';
import { useServer } from './inProcess.js';
import { base64, sh, type RawClient } from './rawClient.js';

const MEGABYTE = 1024 * 1024;

/** The number of output bytes that a client has been sent. */
function bytesTold(client: RawClient, processId: string): number {
  return client.notifications
    .filter(({ method, params }) => method === 'process/output' && params['processId'] === processId)
    .map(({ params }) => Buffer.from(String(params['chunk']), 'base64').byteLength)
    .reduce((sum, size) => sum + size, 0);
}

function continuous(numbers: readonly number[]): boolean {
  return numbers.every((seq, index) => seq === index + 1);
}

describe('Output over the wire', () => {
  const fixture = useServer();
  const produced = async () => (await fixture.backend.list()).map(({ output }) => output.bytes);
  /** Resolves with the output sizes of the backend's processes once they no longer grow. */
  const untilStill = async (): Promise<readonly number[]> => {
    let before: readonly number[] = [];
    let same = 0;
    await until(async () => {
      const now = await produced();
      same = now.join() === before.join() && now.some((bytes) => bytes > 0) ? same + 1 : 0;
      before = now;
      return same === 40;
    });
    return before;
  };

  it('waits for a client that does not read, skips nothing, and holds up nobody else', async () => {
    const [slow, fast] = [await fixture.client(), await fixture.client()];
    slow.transport.setPaused(true);
    const size = 8 * MEGABYTE;
    slow.send({
      id: 'start',
      method: 'process/start',
      params: {
        processId: 'p',
        argv: sh(`head -c ${size} /dev/zero`),
        cwd: 'file:///tmp',
        env: process.env,
        tty: false,
      },
    });
    const [bytes = 0] = await untilStill();
    assert.ok(bytes < MEGABYTE, `${bytes} bytes were read from the process`);
    await fast.start('q', sh(`head -c ${size} /dev/zero`));
    await fast.told('q', 'closed');
    assert.equal(bytesTold(fast, 'q'), size);
    // However long it takes, the slow client is not skipped, because it could not handle a missing number.
    fixture.clock.advance(10 * STALL_MS);
    assert.deepEqual((await untilStill())[0], bytes);
    slow.transport.setPaused(false);
    await slow.told('p', 'closed');
    assert.equal(bytesTold(slow, 'p'), size);
    assert.ok(continuous(slow.numbers('p')));
  });

  it('no longer waits for a client whose connection is lost', async () => {
    const client = fixture.connect();
    const id = await client.handshake();
    client.transport.setPaused(true);
    const size = 4 * MEGABYTE;
    client.send({
      id: 'start',
      method: 'process/start',
      params: {
        processId: 'p',
        argv: sh(`head -c ${size} /dev/zero`),
        cwd: 'file:///tmp',
        env: process.env,
        tty: false,
      },
    });
    await untilStill();
    client.transport.destroy('cut');
    await until(async () => (await fixture.backend.list())[0]?.state, 'closed');
    assert.deepEqual(await produced(), [size]);
    const again = await fixture.client(id);
    const { chunks, closed } = await again.request('process/read', { processId: 'p' });
    assert.ok(closed === true && (chunks as unknown[]).length > 0);
    assert.deepEqual(again.notifications, []);
  });

  it('that is read slowly keeps the order of exit and close', async () => {
    const client = await fixture.client();
    await client.start('p', sh('head -c 2000000 /dev/zero; echo end >&2; exit 4'));
    const pump = setInterval(() => client.transport.setPaused(Math.random() < 0.7), 1);
    await client.told('p', 'closed');
    clearInterval(pump);
    assert.ok(continuous(client.numbers('p')));
    assert.equal(client.notifications.at(-1)?.method, 'process/closed');
  });
});

describe('Output with a window', () => {
  const fixture = useServer();
  const lastSeq = async () => (await fixture.backend.list())[0]?.output.lastSeq ?? 0;

  it('comes as far as the window goes, and on with every acknowledgement', async () => {
    const client = await fixture.client();
    await client.start('p', ['cat'], { pipeStdin: true, windowBytes: 3 });
    const type = async (text: string, writeId: string) => {
      const before = await lastSeq();
      await client.request('process/write', { processId: 'p', chunk: base64(text), writeId });
      await until(async () => (await lastSeq()) > before);
    };
    await type('aa', '1');
    await type('bb', '2');
    // The window is full, so no more output is sent.
    await client.request('process/write', { processId: 'p', chunk: base64('cc'), writeId: '3' });
    await client.request('process/list');
    assert.equal(client.output('p'), 'aabb');
    client.notify('process/flow', { processId: 'p', ackSeq: 1 });
    await client.untilTrue(() => client.output('p') === 'aabbcc');
    client.notify('process/flow', { processId: 'nobody', ackSeq: 1 });
    client.notify('process/flow', { processId: 'p', ackSeq: 3 });
    await client.request('process/closeStdin', { processId: 'p' });
    await client.told('p', 'closed');
  });

  it('is skipped for a client that says nothing for a while, which is told so', async () => {
    const client = await fixture.client();
    await client.start('p', sh('head -c 3000000 /dev/zero; exit 9'), { windowBytes: 1000 });
    await client.told('p', 'output');
    await until(() => fixture.clock.pendingTimers > 0);
    fixture.clock.advance(STALL_MS);
    await until(async () => (await fixture.backend.list())[0]?.state, 'closed');
    client.notify('process/flow', { processId: 'p', ackSeq: 1_000_000 });
    const { params } = await client.told('p', 'gap');
    const pump = setInterval(() => client.notify('process/flow', { processId: 'p', ackSeq: 1_000_000 }), 1);
    await client.told('p', 'closed');
    clearInterval(pump);
    assert.equal(bytesTold(client, 'p') + Number(params['bytes']), 3_000_000);
    assert.equal(Number(params['throughSeq']) - Number(params['fromSeq']) + 1, params['chunks']);
  });

  it('goes no further than the largest window, whatever a client asks for', async () => {
    const client = await fixture.client();
    const size = 3 * LARGEST_WINDOW_BYTES;
    await client.start('p', sh(`head -c ${size} /dev/zero`), { windowBytes: size });
    await until(() => bytesTold(client, 'p') >= LARGEST_WINDOW_BYTES);
    await until(() => fixture.clock.pendingTimers > 0);
    fixture.clock.advance(STALL_MS);
    await until(async () => (await fixture.backend.list())[0]?.state, 'closed');
    client.notify('process/flow', { processId: 'p', ackSeq: 1_000_000 });
    await client.told('p', 'gap');
    // The retained output follows directly after the gap.
    assert.ok(bytesTold(client, 'p') < LARGEST_WINDOW_BYTES + 2 * MEGABYTE);
  });

  it('that is acknowledged before it was sent makes no more room', async () => {
    const client = await fixture.client();
    await client.start('p', sh('head -c 8000000 /dev/zero'), { windowBytes: 100_000 });
    client.transport.setPaused(true);
    const spam = setInterval(() => client.notify('process/flow', { processId: 'p', ackSeq: 1_000_000 }), 1);
    let before = -1;
    let same = 0;
    await until(async () => {
      const bytes = (await fixture.backend.list())[0]?.output.bytes ?? 0;
      same = bytes === before ? same + 1 : 0;
      before = bytes;
      return same === 40;
    });
    assert.ok(before < MEGABYTE, `${before} bytes`);
    clearInterval(spam);
  });

  it('that is malformed ends the connection', async () => {
    const client = await fixture.client();
    client.notify('process/flow', { processId: 'p', ackSeq: 'x' });
    await client.ended;
  });
});

describe('Answers', () => {
  let answered = 0;
  const fixture = useServer({
    methods: {
      'environment/status': () => {
        answered += 1;
        return { status: 'x'.repeat(MEGABYTE) };
      },
    },
  });

  it('that a client does not read keep it from asking for more @all', async () => {
    answered = 0;
    const client = await fixture.client();
    client.transport.setPaused(true);
    const asked = 480;
    for (let id = 0; id < asked; id++) {
      // Requests that have arrived already are answered as well. These are so large that few of them arrive at once.
      client.send({ id: `${id}${' '.repeat(10_000)}`, method: 'environment/status' });
    }
    let before = -1;
    let same = 0;
    await until(() => {
      same = answered === before && answered > 0 ? same + 1 : 0;
      before = answered;
      return same === 40;
    });
    assert.ok(answered < 400, `${answered} of ${asked} were answered`);
    client.transport.setPaused(false);
    await until(() => answered, asked);
  });
});
