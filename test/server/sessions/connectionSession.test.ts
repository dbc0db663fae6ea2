import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { isRunning, sessionMembers } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { DETACHED_MS, useServer } from '../inProcess.js';
import { base64, sh, startParams, type RawClient } from '../rawClient.js';
import { cut } from './cut.js';

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
      async () => (await other.ask('initialize', { clientName: 'x', resumeSessionId: id })).error,
      undefined,
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
    await until(async () => (await fixture.backend.list())[0]?.output.lastSeq, 2);

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
    await until(async () => (await sessionMembers(Number(pid))).length, 0);
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
    await until(
      () => fixture.backend.list(),
      (seen) => seen.every(({ state }) => state === 'closed'),
    );
    const [left] = await sessionMembers(Number(pid));
    assert.ok(left);
    process.kill(left.pid, 'SIGKILL');
  });

  it('gets the process that was starting when its connection was lost', async () => {
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
    await until(async () => (await second.ask('process/read', { processId: 'p' })).error, undefined);
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
