import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { guardCommand, guardEnv, type Command } from '../../src/local/guard/command.js';
import { GuardProcess, LocalBackend, readReport, startTimeOf } from '../../src/local/index.js';
import { OpenTerminals } from '../../src/local/child/openTerminals.js';
import { MountPoints } from '../../src/local/sandbox/mountPoints.js';
import { removeFolder } from '../rig/lifetime.js';
import { onLinux } from '../support/onLinux.js';
import { params, sh } from '../support/startParams.js';
import { FakeClock } from '../support/fakeClock.js';
import { untilEvent } from '../support/collect.js';
import { guardArgv } from '../support/guard.js';
import { isRunning } from '../support/processes.js';
import { until } from '../support/until.js';

/** A stand-in for the guard's program, which writes its messages to a file. */
const RECORDER = `process.stdin.pipe(require('node:fs').createWriteStream(process.argv[1]))`;

describe('The guard', () => {
  let folder: string;
  let backend: LocalBackend;
  /** The messages about sessions, from the first one on that is named: before that there is nothing to watch. */
  const told = () => {
    const lines = readFileSync(path.join(folder, 'told'), 'utf8').split('\n');
    const aboutSessions = lines.filter((line) => /^[+=]/.test(line));
    return aboutSessions.slice(aboutSessions.findIndex((line) => /\d/.test(line)));
  };
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
    backend = new LocalBackend({
      guard: (openTerminals) =>
        new GuardProcess(
          argv,
          openTerminals,
          () => undefined,
          (program) => program,
        ),
    });
  });

  afterEach(async () => {
    await backend.shutdown({ graceMs: { interrupt: 0, hangup: 0, terminate: 0 } });
    removeFolder(folder);
  });

  it('is to watch every session, and to forget it once nothing of it is left', async () => {
    for (const tty of [false, true]) {
      const start = params({ argv: ['cat'], tty, pipeStdin: !tty, processId: `tty ${tty}` });
      const child = await backend.start(start);
      const { pid } = child.info();
      const named = new RegExp(` ${pid}:\\d+\\b`);
      await until(isTold(named));
      await child.closeStdin();
      await until(
        () => told().findLast((line) => line.startsWith('=')) ?? '',
        (seen) => !named.test(seen),
      );
      await until(isTold(/^= ?$/));
    }
  });

  it('is to go on watching what a closed process has left behind', async () => {
    const left = await backend.start(
      params({ argv: sh('sleep 1000 >/dev/null 2>&1 & exit 0'), processId: 'left' }),
    );
    await untilEvent(left, 'closed');
    const next = await backend.start(params({ argv: ['true'], processId: 'next' }));
    await until(isTold(new RegExp(` ${next.info().pid}:`)));
    await until(isTold(new RegExp(`^= ${left.info().pid}:\\d+$`)));
    assert.ok(told().every((line) => line.includes('+') || line.includes(` ${left.info().pid}:`)));
    await left.stop();
  });

  it('is not to forget a session because another one had its number', async () => {
    const guard = new GuardProcess(
      [process.execPath, '-e', RECORDER, path.join(folder, 'told')],
      new OpenTerminals(),
      () => undefined,
      (program) => program,
    );
    const victim = spawn('sleep', ['1000'], { detached: true });
    try {
      const sid = victim.pid ?? assert.fail('no pid');
      guard.watch({ sid, startTime: '1' });
      guard.watch({ sid: 5_000_000, startTime: '1' });
      guard.unwatchWhenEmpty({ sid: 5_000_000, startTime: '1' });
      guard.unwatchWhenEmpty({ sid, startTime: '1' });
      guard.watch({ sid, startTime: startTimeOf(sid) });
      await until(isTold(new RegExp(`^= ${sid}:${startTimeOf(sid)}$`)));
    } finally {
      victim.kill('SIGKILL');
      guard.dispose();
    }
  });

  it('is to forget a terminal whose start has failed', async () => {
    const argv = ['/bin/sh', '-c', 'x'.repeat(3_000_000)];
    await assert.rejects(backend.start(params({ argv, tty: true })), /too long for the system/);
    await until(isTold(/^[+=] \d+:\d*$/));
    await until(isTold(/^= ?$/));
  });
});

describe('The environment of the guard', () => {
  it('has all but what changes shells', () => {
    const host = {
      'PATH': '/bin',
      'TMOUT': '1',
      'ENV': 'x',
      'BASH_ENV': 'x',
      'BASH_FUNC_read%%': '() { :; }',
      'HOME': '/',
      'EXEC_SESSION_ID': 'of the session that this window was opened from',
    };
    assert.deepEqual(guardEnv(host, '5:1'), {
      PATH: '/bin',
      HOME: '/',
      ELECTRON_RUN_AS_NODE: '1',
      EXEC_SESSIONS_WATCHED: '5:1',
    });
  });

  it('has the sessions that are watched, no half ones, and no more than a variable can hold', () => {
    const watched = Array.from({ length: 20_000 }, (_, index) => `${index + 1_000_000}:1234567`);
    const { EXEC_SESSIONS_WATCHED: first = '' } = guardEnv({}, watched.join(' '));
    assert.ok(first.length > 90_000);
    assert.deepEqual(first.split(' '), watched.slice(0, first.split(' ').length));
    const { status } = spawnSync('/bin/true', { env: guardEnv({}, watched.join(' ')) });
    assert.equal(status, 0);
  });

  it('is enough for a guard that hears nothing more because its host died right after the start', async () => {
    const victim = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
    const exited = once(victim, 'exit');
    const deaf = (program: Command): Command => {
      const guard = guardCommand(program);
      return ['/bin/sh', '-c', 'exec </dev/null; exec "$@"', 'sh', ...guard];
    };
    const guard = new GuardProcess(guardArgv, new OpenTerminals(), () => undefined, deaf);
    const sid = victim.pid ?? assert.fail('no pid');
    guard.watch({ sid, startTime: startTimeOf(sid) });
    try {
      assert.deepEqual(await exited, [null, 'SIGINT']);
    } finally {
      victim.kill('SIGKILL');
      guard.dispose();
    }
  });
});

describe('A guard that ends', () => {
  it('is started again however often, but not if it ends again and again at once, which is said', async () => {
    const clock = new FakeClock();
    let gaveUp = false;
    const giveUp = () => (gaveUp = true);
    const guard = new GuardProcess(guardArgv, new OpenTerminals(), giveUp, guardCommand, [], clock);
    const kill = async () => {
      const { pid } = guard;
      process.kill(pid ?? assert.fail('There is no guard.'), 'SIGKILL');
      await until(() => guard.pid !== pid);
    };
    guard.expect(undefined);
    try {
      for (let times = 0; times < 10; times += 1) {
        await kill();
        clock.advance(5_000);
      }
      assert.equal(gaveUp, false);
      clock.advance(60_000);
      for (let times = 0; times < 4; times += 1) {
        await kill();
      }
      assert.equal(gaveUp, true);
      guard.expect(undefined);
      assert.equal(guard.pid, undefined);
    } finally {
      guard.dispose();
    }
  });
});

/** On Windows the guard waits by itself. */
const commands = [
  ['in a shell that waits', guardCommand(guardArgv)],
  ['by itself @all', guardArgv],
] as const;

for (const [how, [program, ...args]] of commands) {
  describe(`The guard, ${how}`, () => {
    const victims: ChildProcess[] = [];
    const startVictim = (): number => {
      const victim = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
      victims.push(victim);
      return victim.pid ?? assert.fail('no pid');
    };
    const tell = async (text: string, command: readonly [string, ...string[]] = [program, ...args]) => {
      const [name, ...rest] = command;
      const guard = spawn(name, rest, { stdio: ['pipe', 'ignore', 'ignore'] });
      guard.stdin.end(text);
      await once(guard, 'exit');
    };

    afterEach(() => victims.splice(0).forEach((victim) => victim.kill('SIGKILL')));

    it('acts on what it was told before a message that was cut off', async () => {
      const victim = startVictim();
      const other = startVictim();
      await tell(`+ ${victim}:\n+ ${other}`);
      await until(async () => !(await isRunning(victim)));
      assert.ok(await isRunning(other));
    });

    it('ignores half a list', async () => {
      const [first, second] = [startVictim(), startVictim()];
      await tell(`= ${first}: ${second}:\n= ${first}: `);
      await until(async () => !(await isRunning(first)) && !(await isRunning(second)));
    });

    it('leaves alone what it was to forget', async () => {
      const [first, second, third] = [startVictim(), startVictim(), startVictim()];
      await tell(`+ ${first}:\n+ ${second}:\n= ${first}:\n+ ${third}:\n`);
      await until(async () => !(await isRunning(first)) && !(await isRunning(third)));
      assert.ok(await isRunning(second));
    });

    it('leaves a process alone that has the number of an ended session', async () => {
      const stranger = startVictim();
      await tell(`+ ${stranger}:1\n`);
      assert.ok(await isRunning(stranger));
      // The number belongs to the process that had it last.
      await tell(`+ ${stranger}:1\n+ ${stranger}:${startTimeOf(stranger)}\n`);
      await until(async () => !(await isRunning(stranger)));
    });

    it('says what it has stopped in the file that it was told, and not what had ended', async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'es guard $x'));
      const file = path.join(folder, 'report');
      const victim = startVictim();
      const startTime = startTimeOf(victim) ?? '';
      await tell(`! ${file}\n= ${victim}:${startTime} 5000000:1\n`);
      const said = readReport(readFileSync(file, 'utf8'));
      assert.deepEqual(
        said.map(({ sid, startTime: time, steps }) => [sid, time, steps[0]]),
        [[victim, startTime, 'interrupt']],
      );
      assert.equal(statSync(file).mode & 0o777, 0o600);
      removeFolder(folder);
      // It stops all the same where it cannot say so.
      const other = startVictim();
      await tell(`! ${file}\n+ ${other}:\n`);
      assert.ok(!(await isRunning(other)));
    });

    onLinux('removes what the sandboxes of its host have left, even with nothing to watch', async () => {
      const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'es guard $x *')));
      const notes = path.join(folder, 'notes');
      mkdirSync(notes);
      const sandbox = new MountPoints(notes);
      await sandbox.make([path.join(folder, '.git')]);
      await tell(`~ ${sandbox.own}\n`);
      assert.deepEqual([...readdirSync(folder), ...readdirSync(notes)], ['notes']);
      removeFolder(folder);
    });

    if (program === '/bin/sh') {
      it('kills what it watches if its program is gone', async () => {
        const victim = startVictim();
        await tell(`+ ${victim}:${startTimeOf(victim)}\n`, guardCommand(['/no/such/node', 'guard.js']));
        await until(async () => !(await isRunning(victim)));
      });

      it('leaves a process alone that has the number of an ended session after its program is gone', async () => {
        const [stranger, victim] = [startVictim(), startVictim()];
        await tell(`= ${stranger}:1 ${victim}:\n`, guardCommand(['/no/such/node', 'guard.js']));
        await until(async () => !(await isRunning(victim)));
        assert.ok(await isRunning(stranger));
      });

      it('watches thousands @all', async () => {
        const victim = startVictim();
        const sids = Array.from({ length: 3_000 }, (_, index) => 5_000_000 + index);
        const watch = sids.map((sid) => `+ ${sid}:1\n`).join('');
        const forget = sids.map((_, index) => `= ${sids.slice(index + 1, index + 11).join(':1 ')}:1\n`);
        await tell(`${watch}${forget.slice(0, -10).join('')}= ${victim}:\n`, guardCommand(['/bin/false']));
        await until(async () => !(await isRunning(victim)));
      });
    }
  });
}
