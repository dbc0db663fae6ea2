import assert from 'node:assert/strict';

import { OwnedProcesses } from '../../../src/server/sessions/ownedProcesses.js';
import { FakeClock } from '../../support/fakeClock.js';
import { ScriptedBackend } from '../../support/scriptedBackend.js';
import { settle } from '../../support/settle.js';

const CHECKED_MS = 1_000;

function setUp(limits: { readonly closed: number; readonly outputBytes: number }) {
  const clock = new FakeClock();
  const backend = new ScriptedBackend(clock);
  const lines: string[] = [];
  const owned = new OwnedProcesses({ backend, clock, log: (line) => lines.push(line), limits });
  const start = async (processId: string, isOwned = true) => {
    const process = backend.runs({ processId, argv: ['x'], cwd: '/', env: {}, tty: false, owned: isOwned });
    backend.tells({ type: 'added', processId });
    await settle();
    return process;
  };
  const check = async () => {
    clock.advance(CHECKED_MS);
    await settle();
  };
  const kept = () => backend.processes.map(({ processId }) => processId);
  return { clock, backend, owned, lines, start, check, kept };
}

describe('Owned processes', () => {
  it('that have closed are removed when there are too many, the first that closed first', async () => {
    const { start, check, kept } = setUp({ closed: 2, outputBytes: 1_000 });
    const [a, b, c, d, e] = [
      await start('a'),
      await start('b'),
      await start('c'),
      await start('d'),
      await start('e', false),
    ] as const;
    await start('runs');
    [e, d, b, a].forEach((process) => process.ends(0));
    c.exits(0);
    await check();
    // One that has exited and is not closed has its output still open.
    assert.deepEqual(kept(), ['a', 'b', 'c', 'e', 'runs']);
    c.closes();
    await check();
    assert.deepEqual(kept(), ['a', 'c', 'e', 'runs']);
  });

  it('keep so much output together: that of closed ones goes first, then the oldest of those that run', async () => {
    const { start, check } = setUp({ closed: 10, outputBytes: 100 });
    const [runs, first, second, foreign] = [
      await start('runs'),
      await start('first'),
      await start('second'),
      await start('foreign', false),
    ] as const;
    [runs, first, second, foreign].forEach((process) =>
      ['a', 'b', 'c', 'd'].forEach((text) => process.prints(text.repeat(10))),
    );
    second.ends(0);
    first.ends(0);
    await check();
    const retained = () => [runs, first, second, foreign].map(({ log }) => log.stats.retainedBytes);
    assert.deepEqual(retained(), [40, 40, 20, 40]);
    ['e', 'f', 'g'].forEach((text) => runs.prints(text.repeat(10)));
    await check();
    assert.deepEqual(retained(), [70, 30, 0, 40]);
    ['h', 'i', 'j', 'k', 'l', 'm', 'n'].forEach((text) => runs.prints(text.repeat(10)));
    await check();
    assert.deepEqual(retained(), [100, 0, 0, 40]);
  });

  it('are missed in the log if they cannot be attached to', async () => {
    const { backend, lines } = setUp({ closed: 10, outputBytes: 100 });
    backend.attach = () => Promise.reject(new Error('no attach'));
    backend.tells({ type: 'added', processId: 'p' });
    await settle();
    assert.deepEqual(lines, ['The limits do not count p: no attach']);
  });

  it('are counted while they run, and are not held once they are removed', async () => {
    const { backend, owned, start } = setUp({ closed: 10, outputBytes: 100 });
    await start('foreign', false);
    assert.equal(owned.anyRuns, false);
    const process = await start('p');
    assert.equal(owned.anyRuns, true);
    process.ends(0);
    assert.equal(owned.anyRuns, false);
    await backend.remove('p');
    assert.deepEqual([process.holders, backend.processes[0]?.holders], [0, 0]);
    const last = await start('last');
    owned.dispose();
    assert.equal(last.holders, 0);
  });
});
