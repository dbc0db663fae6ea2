import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { listProcesses } from '../../src/local/marks/processTable.js';
import { removeFolder } from '../rig/lifetime.js';
import { commandLine, isRunning, sessionMembers } from '../support/processes.js';
import { until } from '../support/until.js';

interface Host {
  readonly process: ChildProcess;
  /** Leaders of the POSIX sessions that it started. */
  readonly sids: readonly number[];
  readonly guard: number;
  nextLine(): Promise<string>;
}

async function startHost(args: readonly string[] = [], detached = false): Promise<Host> {
  const program = path.resolve('test/support/host.ts');
  const host = spawn(process.execPath, ['--import', 'tsx', program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached,
  });
  const lines = createInterface({ input: host.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => {
    const line = await lines.next();
    return line.done === true ? assert.fail('The host ended.') : line.value;
  };
  const { pids, guard } = JSON.parse(await nextLine()) as { pids: number[]; guard: number };
  return { process: host, sids: pids, guard, nextLine };
}

async function isEmpty(sids: readonly number[]): Promise<boolean> {
  const members = await Promise.all(sids.map(sessionMembers));
  return members.every((rows) => rows.length === 0);
}

describe('When the host dies', () => {
  for (const [signal, tag] of [
    ['SIGKILL', ''],
    ['SIGTERM', ' @all'],
    ['SIGHUP', ' @all'],
  ] as const) {
    it(`by ${signal}, no process that it started is left, and the guard has ended${tag}`, async () => {
      const host = await startHost();
      assert.ok(!(await isEmpty(host.sids)));
      const exited = once(host.process, 'exit');
      host.process.kill(signal);
      await exited;
      await until(() => isEmpty(host.sids));
      await until(async () => !(await isRunning(host.guard)));
    });
  }

  it('with its whole process group, no process that it started is left', async () => {
    const host = await startHost([], true);
    const exited = once(host.process, 'exit');
    process.kill(-(host.process.pid ?? assert.fail('no pid')), 'SIGKILL');
    await exited;
    await until(() => isEmpty(host.sids));
  });

  it('while it starts terminals, none of their processes is left @all', async () => {
    const host = await startHost(['--die-while-starting']);
    await once(host.process, 'exit');
    await until(async () => !(await isRunning(host.guard)));
    const left = (await listProcesses()).filter(({ pid }) =>
      commandLine(pid).includes(`sleep 4243.${host.process.pid}`),
    );
    assert.deepEqual(left, []);
  });

  for (const kind of ['tty', 'pipes']) {
    it(`between a fork and the report of it, the forked process is not left, ${kind} @all`, async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'es-guard-'));
      const file = path.join(folder, 'began');
      const host = await startHost([`--die-in-fork=${kind}:${file}`]);
      await once(host.process, 'exit');
      const running = async () =>
        (await listProcesses()).filter(({ pid }) =>
          commandLine(pid).includes(`sleep 4244.${host.process.pid}`),
        );
      assert.ok(existsSync(file));
      await until(async () => (await running()).length, 0);
      removeFolder(folder);
    });
  }

  it('after an orderly shutdown, the guard has nothing to end', async () => {
    const host = await startHost(['--shutdown']);
    assert.equal(await host.nextLine(), 'down');
    assert.ok(await isEmpty(host.sids));
    // The host has nothing to wait for: it ends by itself, and so does the guard.
    await once(host.process, 'exit');
    await until(async () => !(await isRunning(host.guard)));
  });

  it('a guard that was killed is replaced', async () => {
    const host = await startHost(['--report-guard']);
    process.kill(host.guard, 'SIGKILL');
    const guard = Number(await host.nextLine());
    assert.notEqual(guard, host.guard);
    const exited = once(host.process, 'exit');
    host.process.kill('SIGKILL');
    await exited;
    await until(() => isEmpty(host.sids));
    await until(async () => !(await isRunning(guard)));
  });
});
