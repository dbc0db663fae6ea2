import assert from 'node:assert/strict';

import { until } from '../../support/until.js';
import { DETACHED_MS, useServer } from '../inProcess.js';
import { base64, sh, type RawClient } from '../rawClient.js';
import { cut } from './cut.js';

/** A client that cannot be asked is there for as long after its last message. */
const SILENT_HOLDER_MS = 10_000;

describe('On a private socket', () => {
  const fixture = useServer({ reach: 'server' });
  const listed = async (client: RawClient) => {
    const { processes } = await client.request('process/list');
    return processes as { readonly handle: string; readonly processId?: string; readonly state: string }[];
  };

  it('every client sees every process, and can take it up under its own name', async () => {
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

  it('a session moves to a connection that asks for it, once its present one is silent', async () => {
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
    await until(
      () => listed(other),
      (seen) => seen.some(({ state }) => state === 'closed'),
    );
    const states = (await listed(other)).map(({ processId, state }) => [processId, state]);
    assert.deepEqual(states, [
      ['kept', 'running'],
      [undefined, 'closed'],
    ]);
  });
});
