import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { SILENT_HOLDER_MS } from '../../src/server/limits.js';
import { isRunning, sessionMembers, until } from '../support/processes.js';
import { DETACHED_MS, useServer } from './inProcess.js';
import { base64, sh, startParams, type RawClient } from './rawClient.js';

const cut = async (client: RawClient) => {
  client.transport.destroy('cut');
  await client.ended;
};

describe('A connection session', () => {
  const fixture = useServer();

  /** A client that takes up a session whose connection was just cut. Resolves once the server has noticed the cut. */
  const resume = async (sessionId: string): Promise<RawClient> => {
    for (;;) {
      const client = fixture.connect();
      const { error } = await client.ask('initialize', { clientName: 'x', resumeSessionId: sessionId });
      if (error === undefined) {
        client.notify('initialized');
        return client;
      }
      assert.equal(error.code, -32010);
      await cut(client);
    }
  };

  it('belongs to one connection at a time', async () => {
    const holder = fixture.connect();
    const id = await holder.handshake();
    await holder.start('p', ['cat'], { pipeStdin: true });
    // This holds however silent the holder is: pings detect a dead peer.
    fixture.clock.advance(DETACHED_MS);
    const other = fixture.connect();
    assert.deepEqual(await other.refused('initialize', { clientName: 'x', resumeSessionId: id }), [
      -32010,
      `session ${id} is already attached to another connection`,
    ]);
    assert.deepEqual(await other.refused('process/list', {}), [
      -32600,
      'client must call initialize before using exec methods',
    ]);
    await holder.request('process/write', { processId: 'p', chunk: base64('still mine'), writeId: '1' });
    await holder.told('p', 'output');
    // The refused connection can have the session once that is free.
    await cut(holder);
    await until(
      async () =>
        (await other.ask('initialize', { clientName: 'x', resumeSessionId: id })).error === undefined,
    );
  });

  it('is taken up again with everything that happened meanwhile, and with what happens from then on', async () => {
    const first = fixture.connect();
    const id = await first.handshake();
    await first.start('p', sh('echo one; read x; echo two; read x; echo three'), { pipeStdin: true });
    await first.told('p', 'output');
    await cut(first);
    const [info] = await fixture.backend.list();
    await fixture.backend.write(info?.processId ?? '', Buffer.from('\n'));
    await until(async () => (await fixture.backend.list())[0]?.output.lastSeq === 2);

    const second = fixture.connect();
    let answered = false;
    await until(async () => {
      const { result } = await second.ask('initialize', { clientName: 'x', resumeSessionId: id });
      answered = result?.['sessionId'] === id;
      return answered;
    });
    // Notifications need no `initialized`.
    await fixture.backend.write(info?.processId ?? '', Buffer.from('\n'));
    await second.told('p', 'closed');
    assert.deepEqual(second.numbers('p'), [3, 4, 5]);
    second.notify('initialized');
    const { chunks, nextSeq } = await second.request('process/read', {
      processId: 'p',
      afterSeq: 1,
      waitMs: 0,
    });
    assert.deepEqual([(chunks as { readonly seq: number }[]).map(({ seq }) => seq), nextSeq], [[2, 3], 6]);
    assert.deepEqual(first.numbers('p'), [1]);
  });

  it('is known by its write names after a resume', async () => {
    const first = fixture.connect();
    const id = await first.handshake();
    await first.start('p', ['cat'], { pipeStdin: true });
    const params = { processId: 'p', chunk: base64('once\n'), writeId: '1' };
    await first.request('process/write', params);
    await first.told('p', 'output');
    await cut(first);
    const second = await resume(id);
    assert.deepEqual(await second.request('process/write', params), { status: 'accepted' });
    await second.request('process/closeStdin', { processId: 'p' });
    await second.told('p', 'closed');
    assert.deepEqual(second.output('p'), '');
  });

  it('takes back what was not written yet, so that its repetition has its turn', async () => {
    const first = fixture.connect();
    const id = await first.handshake();
    const script = 'echo ready; read x; exec wc -c';
    await first.start('p', sh(script), { pipeStdin: true, tty: false });
    await first.told('p', 'output');
    const write = (client: RawClient, writeId: string) =>
      client.ask('process/write', {
        processId: 'p',
        chunk: Buffer.alloc(700_000, 'x').toString('base64'),
        writeId,
      });
    const ids = ['1', '2', '3', '4', '5'];
    void Promise.allSettled(ids.map((writeId) => write(first, writeId)));
    await first.untilTrue(() =>
      first.heard.some((message) => 'result' in message && message.result['status'] !== undefined),
    );
    await cut(first);
    const second = await resume(id);
    const repeated = ids.map((writeId) => write(second, writeId));
    const newline = second.ask('process/write', { processId: 'p', chunk: base64('\n'), writeId: 'end' });
    // The shell waits for a line, which is complete only when everything has arrived.
    const rest = second.ask('process/write', { processId: 'p', chunk: base64('yz'), writeId: 'rest' });
    for (const { result } of await Promise.all([...repeated, newline, rest])) {
      assert.deepEqual(result, { status: 'accepted' });
    }
    await second.request('process/closeStdin', { processId: 'p' });
    await second.told('p', 'closed');
    assert.equal(second.output('p').trim(), '2');
  });

  it('takes back what was not written yet even if nobody repeats it', async () => {
    const first = fixture.connect();
    const id = await first.handshake();
    const gate = path.join(os.tmpdir(), `es-gate-${process.pid}`);
    await first.start('p', sh(`until [ -e ${gate} ]; do sleep 0.01; done; exec wc -c`), { pipeStdin: true });
    const size = 700_000;
    const chunk = Buffer.alloc(size, 'x').toString('base64');
    const write = (writeId: string) => first.ask('process/write', { processId: 'p', chunk, writeId });
    void Promise.allSettled(['1', '2', '3', '4', '5'].map(write));
    // The answer to this comes after them: the writes have arrived.
    await first.request('process/list');
    await cut(first);
    const second = await resume(id);
    const ended = second.request('process/closeStdin', { processId: 'p' });
    fs.writeFileSync(gate, '');
    try {
      await ended;
      await second.told('p', 'closed');
    } finally {
      fs.rmSync(gate);
    }
    const written = Number(second.output('p'));
    assert.ok(written % size === 0 && written < 5 * size, `${written} bytes`);
  });

  it('does not wait for a read that the old connection had', async () => {
    const first = fixture.connect();
    const id = await first.handshake();
    await first.start('p', ['sleep', '100']);
    void first.ask('process/read', { processId: 'p', waitMs: 60_000 }).catch(() => undefined);
    await cut(first);
    const second = await resume(id);
    assert.deepEqual(await second.request('process/terminate', { processId: 'p' }), { running: true });
  });

  it('ends 80 seconds after its connection, with its processes', async () => {
    const client = fixture.connect();
    const id = await client.handshake();
    const { pid } = await client.start('p', sh(`trap '' HUP INT TERM; sleep 1000 & wait`));
    await cut(client);
    await until(() => fixture.clock.pendingTimers > 0);
    fixture.clock.advance(DETACHED_MS - 1);
    const again = await resume(id);
    await cut(again);
    await until(() => fixture.clock.pendingTimers > 0);
    // The resume has reset the timer.
    fixture.clock.advance(DETACHED_MS - 1);
    assert.ok(await isRunning(Number(pid)));
    fixture.clock.advance(1);
    await until(async () => (await sessionMembers(Number(pid))).length === 0);
    const late = fixture.connect();
    assert.deepEqual(await late.refused('initialize', { clientName: 'x', resumeSessionId: id }), [
      -32600,
      `unknown session id ${id}`,
    ]);
  });

  it('does not end what its ended processes have left in the background', async () => {
    const client = await fixture.client();
    const { pid } = await client.start('p', sh('sleep 1000 >/dev/null 2>&1 & exit 0'));
    await client.told('p', 'closed');
    await client.start('q', ['sleep', '1000']);
    await cut(client);
    await until(() => fixture.clock.pendingTimers > 1);
    // At this moment the backend forgets the first process and the session kills the second.
    fixture.clock.advance(DETACHED_MS);
    await until(async () => (await fixture.backend.list()).every(({ state }) => state === 'closed'));
    const [left] = await sessionMembers(Number(pid));
    assert.ok(left);
    process.kill(left.pid, 'SIGKILL');
  });

  it('gets what was being started when its connection was lost', async () => {
    const first = fixture.connect();
    const id = await first.handshake();
    first.send({
      id: 'start',
      method: 'process/start',
      params: startParams('p', ['sleep', '100'], { tty: true }),
    });
    await new Promise((resolve) => setImmediate(resolve));
    await cut(first);
    const second = await resume(id);
    await until(async () => (await second.ask('process/read', { processId: 'p' })).error === undefined);
    await second.request('process/terminate', { processId: 'p' });
    await second.told('p', 'closed');
  });

  it('has names of its own, and sees nothing of others', async () => {
    const [one, other] = [await fixture.client(), await fixture.client()];
    await one.start('p', ['cat'], { pipeStdin: true });
    assert.deepEqual(await other.refused('process/read', { processId: 'p' }), [
      -32600,
      'unknown process id p',
    ]);
    await other.start('p', sh('echo other'));
    await other.told('p', 'closed');
    assert.deepEqual(await other.request('process/terminate', { processId: 'p' }), { running: false });
    assert.deepEqual(await one.request('process/terminate', { processId: 'p' }), { running: true });
    await one.told('p', 'closed');
    assert.equal(one.output('p'), '');
    const handleOf = async (client: RawClient) => {
      const { processes } = await client.request('process/list');
      assert.ok(Array.isArray(processes) && processes.length === 1);
      return String((processes as [{ handle: unknown }])[0].handle);
    };
    const handle = await handleOf(one);
    assert.notEqual(handle, await handleOf(other));
    assert.deepEqual(await other.refused('process/attach', { handle, processId: 'x' }), [
      -32600,
      `unknown process id ${handle}`,
    ]);
  });
});

describe('On a private socket', () => {
  const fixture = useServer({ reach: 'server' });
  const listed = async (client: RawClient) => {
    const { processes } = await client.request('process/list');
    return processes as { readonly handle: string; readonly processId?: string; readonly state: string }[];
  };

  it('everybody sees every process, and can take it up under a name of his own', async () => {
    const [one, other] = [await fixture.client(), await fixture.client()];
    await one.start('mine', sh('echo before; read x; echo "after $x"'), {
      pipeStdin: true,
      clientMetadata: { a: 1 },
    });
    await one.told('mine', 'output');
    const [found] = await listed(other);
    assert.ok(found !== undefined && found.processId === undefined);
    const { process: attached } = await other.request('process/attach', {
      handle: found.handle,
      processId: 'yours',
    });
    const { metadata, output, processId } = attached as Record<string, unknown>;
    assert.deepEqual([metadata, processId, (output as { lastSeq: number }).lastSeq], [{ a: 1 }, 'yours', 1]);
    assert.equal((await listed(other))[0]?.processId, 'yours');
    await other.request('process/write', { processId: 'yours', chunk: base64('x\n'), writeId: '1' });
    await Promise.all([one.told('mine', 'closed'), other.told('yours', 'closed')]);
    // Earlier events are not sent; they have to be read.
    assert.deepEqual(other.numbers('yours'), [2, 3, 4]);
    assert.deepEqual(one.numbers('mine'), [1, 2, 3, 4]);
    assert.deepEqual(await other.refused('process/attach', { handle: found.handle, processId: 'yours' }), [
      -32600,
      'process yours already exists',
    ]);
    assert.deepEqual(await other.refused('process/attach', { handle: 'none', processId: 'x' }), [
      -32600,
      'unknown process id none',
    ]);
  });

  it('a session goes to the connection that asks for it once the one that has it is silent', async () => {
    const [holder, again] = [fixture.connect(), fixture.connect()];
    const sessionId = await holder.handshake();
    await holder.start('p', ['cat'], { pipeStdin: true });
    const resume = (client = again) =>
      client.ask('initialize', { clientName: 'x', resumeSessionId: sessionId });
    fixture.clock.advance(SILENT_HOLDER_MS - 1);
    assert.equal((await resume()).error?.code, -32010);
    await holder.request('process/list');
    fixture.clock.advance(SILENT_HOLDER_MS - 1);
    assert.equal((await resume()).error?.code, -32010);
    fixture.clock.advance(1);
    assert.equal((await resume()).result?.['sessionId'], sessionId);
    again.notify('initialized');
    await holder.ended;
    // The end of the previous connection does not count as the end of the new one.
    fixture.clock.advance(DETACHED_MS);
    await again.request('process/write', { processId: 'p', chunk: base64('x\n'), writeId: '1' });
    await again.told('p', 'output');
    assert.equal(again.output('p'), 'x\n');
    assert.equal((await resume(fixture.connect())).error?.code, -32010);
  });

  it('a process goes on while anybody has it', async () => {
    const [one, other] = [await fixture.client(), await fixture.client()];
    await one.start('p', ['cat'], { pipeStdin: true });
    await one.start('q', ['cat'], { pipeStdin: true });
    const p = (await listed(other)).find(({ processId }) => processId === undefined)?.handle;
    await other.request('process/attach', { handle: p, processId: 'kept' });
    await cut(one);
    await until(() => fixture.clock.pendingTimers > 0);
    fixture.clock.advance(DETACHED_MS);
    await until(async () => (await listed(other)).some(({ state }) => state === 'closed'));
    const states = (await listed(other)).map(({ processId, state }) => [processId, state]);
    assert.deepEqual(states, [
      ['kept', 'running'],
      [undefined, 'closed'],
    ]);
  });
});

describe('A server that nobody uses', () => {
  let idle = 0;
  const fixture = useServer({ whenIdle: { afterMs: 50_000, run: () => (idle += 1) } });

  it('says so when neither a connection nor a session is left', async () => {
    idle = 0;
    fixture.clock.advance(49_999);
    const client = await fixture.client();
    fixture.clock.advance(1_000_000);
    await cut(client);
    await until(() => fixture.clock.pendingTimers > 0);
    fixture.clock.advance(DETACHED_MS);
    fixture.clock.advance(49_999);
    assert.equal(idle, 0);
    fixture.clock.advance(1);
    assert.equal(idle, 1);
  });
});
