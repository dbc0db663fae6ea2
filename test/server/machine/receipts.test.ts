import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import type { EndedReceipt, ExecProcess } from '../../../src/core/index.js';
import { readReceipts, receiptPlace } from '../../../src/machine/index.js';
import { isRunning } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { params, sh } from '../../support/startParams.js';
import { useMachine } from './machineFixture.js';

async function untilGone(...pids: readonly number[]): Promise<void> {
  for (const pid of pids) {
    await until(async () => !(await isRunning(pid)));
  }
}

describe('The receipts of a session server', () => {
  const fixture = useMachine();

  const place = () => {
    const found = receiptPlace(fixture.env);
    assert.ok(found !== undefined);
    return found;
  };
  const read = () => readReceipts(place(), Date.now());

  /** Resolves with the receipt of that title once it says so. */
  const receiptOf = async (title: string, says: (receipt: EndedReceipt) => boolean = () => true) => {
    let found: EndedReceipt | undefined;
    await until(async () => {
      found = (await read()).find((receipt) => receipt.title === title && says(receipt));
      return found !== undefined;
    });
    assert.ok(found !== undefined);
    return found;
  };

  const start = async (title: string, script: string, metadata = {}): Promise<ExecProcess> => {
    const machine = await fixture.connect();
    const started = await machine?.backend.start(
      params({
        processId: title,
        argv: sh(script),
        owned: true,
        metadata: { sessionId: `s-${title}`, title, origin: { kind: 'user' }, ...metadata },
      }),
    );
    assert.ok(started !== undefined);
    return started;
  };

  it('say how a session ended by itself, and how much it printed', async () => {
    await start('code', 'echo hello; exit 3', { agent: { number: 12, id: 'i', name: 'n' } });
    const receipt = await receiptOf('code', ({ bytes }) => bytes > 0);
    assert.deepEqual(receipt.end.kind === 'exit' && receipt.end.status, { exitCode: 3 });
    assert.deepEqual(
      [receipt.sessionId, receipt.bytes, receipt.number, receipt.steps, receipt.left, receipt.endedBy],
      ['s-code', 6, 12, [], [], undefined],
    );
    assert.ok(receipt.end.at >= receipt.startedAt);
  });

  it('say who stopped it and with which steps, and what it has left', async () => {
    const started = await start('stopped', "trap '' INT HUP; setsid sleep 1000 & echo $!; wait; wait");
    await until(() => started.info().output.bytes > 0);
    await started.describe({ endedBy: { kind: 'agent', name: 'Codex' } });
    const report = await started.stop({ graceMs: { interrupt: 50, hangup: 50 } });
    const receipt = await receiptOf('stopped', ({ steps }) => steps.length > 0);
    assert.deepEqual(receipt.endedBy, { kind: 'agent', name: 'Codex' });
    assert.deepEqual(receipt.steps, report.steps);
    assert.deepEqual(
      receipt.left.map(({ command }) => command),
      ['sleep'],
    );
    receipt.left.forEach(({ pid }) => process.kill(pid, 'SIGKILL'));
  });

  it('name the processes that go on after an unrequested end', async () => {
    await start('parent', 'setsid sleep 1000 & exit 0');
    const { left } = await receiptOf('parent', (receipt) => receipt.left.length > 0);
    assert.equal(left[0]?.command, 'sleep');
    left.forEach(({ pid }) => process.kill(pid, 'SIGKILL'));
  });

  it('say that the server was ended, and its sessions with it', async () => {
    const started = await start('ended', 'sleep 1000');
    const [server = 0] = await fixture.servers();
    process.kill(server, 'SIGTERM');
    const receipt = await receiptOf('ended');
    assert.deepEqual(receipt.endedBy, { kind: 'server', signal: 'SIGTERM' });
    assert.equal(receipt.end.kind, 'exit');
    await untilGone(started.info().pid ?? 0, server);
  });

  it('say that a session is lost whose server was killed right after the start', async () => {
    await fixture.connect();
    const [server = 0] = await fixture.servers();
    await start('lost', 'sleep 1000');
    process.kill(server, 'SIGKILL');
    await untilGone(server);
    const { end } = await receiptOf('lost');
    assert.equal(end.kind, 'lost');
  });

  it('say after a server crash which sessions are lost, since when about, and what the guard has stopped', async () => {
    const before = Date.now();
    const started = await start('lost', 'sleep 1000');
    await start('done', 'exit 0');
    await receiptOf('done');
    const [server = 0] = await fixture.servers();
    process.kill(server, 'SIGKILL');
    const receipt = await receiptOf('lost');
    assert.equal(receipt.end.kind, 'lost');
    assert.ok(receipt.end.at >= before - 1_000 && receipt.end.at <= Date.now() + 1_000);
    assert.equal((await receiptOf('done')).end.kind, 'exit');
    await untilGone(started.info().pid ?? 0);
    const guarded = await receiptOf('lost', ({ endedBy }) => endedBy !== undefined);
    assert.deepEqual([guarded.endedBy, guarded.steps[0]], [{ kind: 'guard' }, 'interrupt']);
    // The next server takes nothing of that for its own.
    await start('next', 'exit 0');
    await receiptOf('next');
    assert.deepEqual(await receiptOf('lost'), guarded);
  });

  it('are not written if switched off, and those of running sessions are taken back', async () => {
    await start('before', 'exit 0');
    await receiptOf('before');
    const running = await start('running', 'sleep 1000');
    const machine = await fixture.connect({ start: false });
    await machine?.backend.keepWithoutClient({ personSeconds: -1, agentSeconds: -1, receipts: false });
    await running.stop();
    const unwanted = await start('unwanted', 'exit 0');
    await until(() => unwanted.info().state, 'closed');
    const [server = 0] = await fixture.servers();
    process.kill(server, 'SIGTERM');
    await untilGone(server);
    assert.deepEqual(
      (await read()).map(({ title }) => title),
      ['before'],
    );
    assert.ok(fs.existsSync(path.join(place().folder, 'off')));
  });
});
