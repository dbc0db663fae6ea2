import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { GuardProcess, LocalBackend } from '../../src/local/index.js';
import { params, sh } from '../support/startParams.js';
import { untilEvent } from '../support/collect.js';
import { guardArgv } from '../support/guard.js';
import { isRunning, until } from '../support/processes.js';

/** Stands in for the guard's program: writes down what it is told. */
const RECORDER = `process.stdin.pipe(require('node:fs').createWriteStream(process.argv[1]))`;

describe('What the guard is told', () => {
  let folder: string;
  let backend: LocalBackend;
  const told = () => readFileSync(path.join(folder, 'told'), 'utf8').split('\n').filter(Boolean);
  const isTold = (message: RegExp) => () => {
    try {
      return told().some((line) => message.test(line));
    } catch {
      return false; // Nothing has been written yet.
    }
  };

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'exec-sessions-guard-'));
    const argv = [process.execPath, '-e', RECORDER, path.join(folder, 'told')] as const;
    backend = new LocalBackend({ guard: (openTerminals) => new GuardProcess(argv, openTerminals) });
  });

  afterEach(async () => {
    await backend.shutdown({ graceMs: { interrupt: 0, hangup: 0, terminate: 0 } });
    rmSync(folder, { recursive: true });
  });

  it('is to watch every session, and to forget it once nothing of it is left', async () => {
    for (const tty of [false, true]) {
      const start = params({ argv: ['cat'], tty, pipeStdin: !tty, processId: `tty ${tty}` });
      const child = await backend.start(start);
      const { pid } = child.info();
      await until(isTold(new RegExp(`^\\{"watch":${pid},"startTime":"\\d+"\\}$`)));
      await child.closeStdin();
      await until(isTold(new RegExp(`^\\{"unwatch":${pid}\\}$`)));
    }
  });

  it('is to go on watching what a closed process has left behind', async () => {
    const left = await backend.start(
      params({ argv: sh('sleep 1000 >/dev/null 2>&1 & exit 0'), processId: 'left' }),
    );
    await untilEvent(left, 'closed');
    const next = await backend.start(params({ argv: ['true'], processId: 'next' }));
    await until(isTold(new RegExp(`"unwatch":${next.info().pid}\\}`)));
    assert.ok(!told().includes(`{"unwatch":${left.info().pid}}`));
    await left.stop();
  });

  it('is to forget a terminal whose start has failed', async () => {
    const argv = ['/bin/sh', '-c', 'x'.repeat(3_000_000)];
    await assert.rejects(backend.start(params({ argv, tty: true })), /Argument list too long/);
    await until(isTold(/"unwatch"/));
  });
});

describe('The guard', () => {
  it('acts on what it was told before a message that was cut off', async () => {
    const victim = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
    const [program, ...args] = guardArgv;
    const guard = spawn(program, args, { stdio: ['pipe', 'ignore', 'inherit'] });
    guard.stdin.end(`{"watch":${victim.pid}}\n{"wat`);
    await once(guard, 'exit');
    await until(async () => !(await isRunning(victim.pid ?? 0)));
  });

  it('leaves alone who has the number of a session that is over', async () => {
    const stranger = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
    const [program, ...args] = guardArgv;
    const guard = spawn(program, args, { stdio: ['pipe', 'ignore', 'inherit'] });
    guard.stdin.end(`{"watch":${stranger.pid},"startTime":"1"}\n`);
    await once(guard, 'exit');
    assert.ok(await isRunning(stranger.pid ?? 0));
    stranger.kill('SIGKILL');
  });
});
