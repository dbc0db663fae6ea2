import assert from 'node:assert/strict';

import type { PortListener } from '../../../../src/core/index.js';
import { BASE_SERVER } from '../../../support/scriptedBackend.js';
import { line } from '../replyParts.js';
import { scriptedTools, settle } from '../scriptedHost.js';

const vite: PortListener = { addresses: ['::'], pid: 77, command: 'node vite', user: 'me', own: false };

/** The line of a wait of session 1 for port 4174, and the listeners that are told. */
async function told(listeners: readonly PortListener[]): Promise<string> {
  const { starts, call, process, clock } = scriptedTools();
  await starts();
  await starts();
  process(1).listeners = () => Promise.resolve(listeners);
  const reply = call('wait_for', { session: 1, port: 4174, timeout_ms: 100 });
  await settle();
  clock.advance(100);
  const text = line(await reply, 'Condition') ?? '';
  assert.equal(clock.pendingTimers, 0);
  return text.replace(/ within [\d.]+ s/, '').replace('; wait again, or look at the output', '');
}

describe('The listener at a port, in words', () => {
  it('is a process of the session, or one that has begun since', async () => {
    assert.equal(
      await told([{ ...vite, own: true }]),
      'port met: 4174 is listened on by node vite (pid 77, session 1)',
    );
    assert.equal(
      await told([{ ...vite, later: true }]),
      'port met: 4174 is listened on by node vite (pid 77), which does not belong to session 1 but has begun to listen after its start',
    );
  });

  it('does not count otherwise, and is told', async () => {
    assert.equal(
      await told([{ ...vite, later: false }]),
      'none met; 4174 is listened on by node vite (pid 77), which does not belong to session 1 and has listened since before its start',
    );
    // Since when is not known.
    assert.equal(
      await told([vite]),
      'none met; 4174 is listened on by node vite (pid 77), which does not belong to session 1',
    );
    assert.equal(await told([]), 'none met');
  });

  it('names the user where the process cannot be seen', async () => {
    const { addresses, own } = vite;
    assert.equal(
      await told([{ addresses, own, user: 'postgres', later: true }]),
      'port met: 4174 is listened on by a process of the user postgres that cannot be seen from here, which does not belong to session 1 but has begun to listen after its start',
    );
  });

  it('is of another session, by its number if agents know it', async () => {
    assert.match(await told([{ ...vite, processId: 'p2' }]), /\(pid 77, session 2\), which/);
    assert.match(await told([{ ...vite, processId: 'unknown' }]), /\(pid 77, another session\), which/);
  });

  it('names the address where localhost would not reach it, and at most three processes', async () => {
    assert.match(
      await told([{ ...vite, own: true, addresses: ['127.0.0.7', '::1'] }]),
      /on at 127\.0\.0\.7, ::1 by/,
    );
    assert.equal(
      await told([vite, { ...vite, pid: 78, own: true }]),
      'port met: 4174 is listened on by node vite (pid 78, session 1)',
    );
    const many = [1, 2, 3, 4, 5].map((pid) => ({ ...vite, pid, own: true }));
    assert.match(await told(many), /pid 1.*pid 2.*pid 3, session 1\), and 2 more$/);
  });

  it('contains no line breaks or control characters of other programs', async () => {
    const command = `evil\n\u001b[31m${'x'.repeat(200)}`;
    assert.match(await told([{ ...vite, command, own: true }]), /by evil \[31mx+… \(pid 77/);
  });

  it('cannot be told by every machine', async () => {
    for (const [portProbe, expected] of [
      [
        'connection',
        'port met: 80 is listened on (a connection was tried, since this machine does not tell who listens)',
      ],
      ['list', 'port met: 80 is listened on (this machine does not tell who listens)'],
    ] as const) {
      const { starts, call, host } = scriptedTools({ capabilities: { ...BASE_SERVER, portProbe } });
      await starts();
      host.backend.ports.add(80);
      assert.equal(line(await call('wait_for', { session: 1, port: 80 }), 'Condition'), expected);
    }
  });
});

describe('A wait for a port', () => {
  it('looks once more at its end, and names who has taken the port', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts();
    const reply = call('wait_for', { session: 1, port: 4174, exit: true });
    await settle();
    process(1).listeners = () => Promise.resolve([{ ...vite, later: false }]);
    process(1).ends(1);
    await settle();
    clock.advance(100);
    assert.match(
      line(await reply, 'Condition') ?? '',
      /^exit met; 4174 is listened on by node vite \(pid 77\)/,
    );
  });

  it('ends at once for an ended command if another process has the port', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts();
    process(1).ends(1);
    process(1).listeners = () => Promise.resolve([{ ...vite, later: false }]);
    const reply = await call('wait_for', { session: 1, port: 4174 });
    assert.match(
      line(reply, 'Condition') ?? '',
      /^none met: the command has ended; 4174 is listened on by node vite/,
    );
    assert.equal(clock.pendingTimers, 0);
  });

  it('tells in its progress who has the port', async () => {
    const { starts, tools, process, clock } = scriptedTools();
    await starts();
    process(1).listeners = () => Promise.resolve([{ ...vite, later: false }]);
    const said: string[] = [];
    const waiting = tools.call(
      'wait_for',
      { session: 1, port: 4174 },
      { agent: { id: 'a', name: 'a' }, progress: (message) => said.push(message) },
    );
    await settle();
    clock.advance(5_000);
    process(1).ends(0);
    await waiting;
    assert.match(
      said.at(-1) ?? '',
      /meanwhile; 4174 is listened on by node vite \(pid 77\), which does not belong to session 1/,
    );
  });

  it('does not end late because its machine does not answer', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts();
    process(1).listeners = () => new Promise(() => undefined);
    const reply = call('wait_for', { session: 1, port: 4174, timeout_ms: 100 });
    await settle();
    clock.advance(100);
    await settle();
    clock.advance(1_000);
    assert.match(line(await reply, 'Condition') ?? '', /^none met within/);
    assert.equal(clock.pendingTimers, 0);
  });
});
