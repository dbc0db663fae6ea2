import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';

import { GuardProcess, LocalBackend } from '../../src/local/index.js';
import { params } from '../support/startParams.js';
import { guardArgv } from '../support/guard.js';
import { describeOnLinux } from '../support/onLinux.js';
import { openFiles } from '../support/processes.js';
import { until } from '../support/until.js';

/** The open files of a program without its libraries, which it has open while it is just being loaded. */
function inheritedBy(pid: number): readonly (readonly [number, string])[] {
  return [...openFiles(pid)].filter(([, file]) => !/^\/(?!dev\/)/.test(file));
}

/** The number of the terminal that a master belongs to. */
function terminalOf(master: number): string {
  const [, index] = /^tty-index:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${master}`, 'utf8')) ?? [];
  return index ?? assert.fail(`descriptor ${master} is no master`);
}

describeOnLinux('The inheritance of a child @all', () => {
  it('is no terminal and no pipe of another', async () => {
    // The starter of the tests may have left descriptors open to them, which every child of theirs inherits as well.
    const ours = new Map(openFiles(process.pid));
    let guard: GuardProcess | undefined;
    const backend = new LocalBackend({
      guard: (openTerminals) => (guard = new GuardProcess(guardArgv, openTerminals)),
    });
    const start = async (processId: string, tty: boolean) => {
      const child = await backend.start(params({ argv: ['sleep', '100'], processId, tty, pipeStdin: !tty }));
      return child.info().pid ?? assert.fail('no pid');
    };
    const pids = [
      await start('terminal 1', true),
      await start('pipes 1', false),
      await start('terminal 2', true),
      await start('terminal 3', true),
      await start('pipes 2', false),
    ];
    assert.ok([...openFiles(process.pid).values()].filter((file) => file === '/dev/ptmx').length >= 3);

    const files = pids.map(inheritedBy);
    for (const open of files) {
      for (const [fd, file] of open) {
        assert.ok(fd <= 2 || file === '/dev/null' || ours.get(fd) === file, `descriptor ${fd} is ${file}`);
      }
    }
    const strangers = new Set([...ours.values(), '/dev/null']);
    const all = files
      .flatMap((open) => [...new Set(open.map(([, file]) => file))])
      .filter((file) => !strangers.has(file));
    assert.equal(new Set(all).size, all.length, all.join(' '));

    // The guard was started before some of them and knows none of their descriptors either.
    const ofGuard = [...openFiles(guard?.pid ?? assert.fail('no guard')).values()];
    assert.ok(!ofGuard.includes('/dev/ptmx'), ofGuard.join(' '));
    assert.ok(!ofGuard.some((file) => all.includes(file)), ofGuard.join(' '));
    await backend.shutdown({ graceMs: { interrupt: 0, hangup: 0, terminate: 0 } });
  });

  it('is no terminal of another, whichever descriptors below it are free', async () => {
    const backend = new LocalBackend();
    const start = async (processId: string) => {
      const child = await backend.start(params({ argv: ['sleep', '100'], processId, tty: true }));
      return child.info().pid ?? assert.fail('no pid');
    };
    await start('first');
    const filling = Array.from({ length: 20 }, () => openSync('/dev/null', 'r'));
    const before = new Map(openFiles(process.pid));
    await start('above');
    filling.forEach((descriptor) => closeSync(descriptor));
    const last = Math.max(...filling);
    assert.ok([...openFiles(process.pid)].some(([fd, file]) => fd > last && file === '/dev/ptmx'));
    for (const [fd, file] of inheritedBy(await start('next'))) {
      assert.ok(fd <= 2 || (file !== '/dev/ptmx' && before.get(fd) === file), `descriptor ${fd} is ${file}`);
    }
    await backend.shutdown({ graceMs: { interrupt: 0, hangup: 0, terminate: 0 } });
  });

  it('is a terminal if others start it, since neither Node nor a second opening can mark a master', async () => {
    const masters = () => [...openFiles(process.pid)].filter(([, file]) => file === '/dev/ptmx');
    const before = new Set(masters().map(([fd]) => fd));
    const backend = new LocalBackend();
    await backend.start(params({ argv: ['sleep', '100'], processId: 'terminal', tty: true }));
    const [master] = masters().find(([fd]) => !before.has(fd)) ?? assert.fail('no master');

    const stranger = spawn('sleep', ['100'], { stdio: 'ignore' });
    await once(stranger, 'spawn');
    try {
      const files = openFiles(stranger.pid ?? assert.fail('no pid'));
      assert.equal(files.get(master), '/dev/ptmx', 'OpenTerminals can go: see docs/internals.md');
    } finally {
      stranger.kill('SIGKILL');
      await once(stranger, 'exit');
    }

    const again = openSync(`/proc/self/fd/${master}`, constants.O_RDWR | constants.O_NOCTTY);
    try {
      assert.notEqual(terminalOf(again), terminalOf(master));
    } finally {
      closeSync(again);
    }
    await backend.shutdown({ graceMs: { interrupt: 0, hangup: 0, terminate: 0 } });
  });

  it('is given back: a hundred terminals leave no descriptor open', async () => {
    const backend = new LocalBackend();
    const openOne = async (processId: string) => {
      const child = await backend.start(params({ argv: ['true'], processId, tty: true }));
      await new Promise<void>((resolve) => {
        child.subscribe({}, ({ type }) => type === 'closed' && resolve());
      });
      child.release();
    };
    await openOne('first');
    const before = openFiles(process.pid).size;
    for (let run = 0; run < 100; run++) {
      await openOne(`run ${run}`);
    }
    await until(() => openFiles(process.pid).size <= before);
    await backend.shutdown();
  });
});
