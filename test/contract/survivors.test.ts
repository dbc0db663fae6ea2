import assert from 'node:assert/strict';
import { existsSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import type { ExecProcess, StartParams, Survivor } from '../../src/core/index.js';
import { removeFolder } from '../rig/lifetime.js';
import { assertRejects } from '../support/assertRejects.js';
import { collectReads, untilEvent } from '../support/collect.js';
import { INHERITING } from '../support/envPolicy.js';
import { killIfThere } from '../support/killIfThere.js';
import { describeOnLinux } from '../support/onLinux.js';
import { isRunning } from '../support/processes.js';
import { until } from '../support/until.js';
import { sh } from '../support/startParams.js';
import { backendKinds, useBackend, useBackends } from './backends.js';

const graceMs = { interrupt: 150, hangup: 150, terminate: 2_000, kill: 5_000 };

/** Nothing of it is connected with the command that it is started by. */
const ALONE = '</dev/null >/dev/null 2>&1 &';

/** A daemon by the book: two forks, and a POSIX session of its own between them. */
const DAEMON = `
import os, time
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
os.chdir('/')
for fd in range(3): os.close(fd)
time.sleep(1000)
`;

/** Programs that outlive the command that starts them, and the survivors of each. */
const detached: readonly (readonly [what: string, script: string, left: readonly string[]])[] = [
  ['setsid', `setsid sleep 1000 ${ALONE}`, ['sleep']],
  ['nohup and setsid', `nohup setsid sleep 1000 ${ALONE}`, ['sleep']],
  ['a daemon that forks twice', `exec python3 -c "${DAEMON}"`, ['python3']],
  // It hides its variables from ordinary users.
  ...(process.getuid?.() === 0 ? [['ssh-agent', 'eval "$(ssh-agent)"', ['ssh-agent']] as const] : []),
  ['a server of tmux', 'tmux -f /dev/null -S "$SOCKET" new-session -d sleep 1000', ['sleep', 'tmux']],
];

for (const kind of backendKinds.filter(({ server }) => server !== 'codex')) {
  describeOnLinux(`The survivors of a process on the ${kind.name} backend`, () => {
    const fixture = useBackend(kind);
    const another = useBackends(kind);
    const folder = mkdtempSync(path.join(os.tmpdir(), 'survivors-'));
    const seen: Survivor[] = [];
    after(() => removeFolder(folder));
    afterEach(() => {
      for (const { pid } of seen.splice(0)) {
        killIfThere(pid);
      }
    });

    const start = async (script: string, some: Partial<StartParams> = {}): Promise<ExecProcess> =>
      fixture.start({
        // Without the trap, the end of a terminal ends programs that have not detached themselves yet.
        argv: sh(`trap '' HUP; ${script}`),
        env: { SOCKET: path.join(folder, 'tmux') },
        envPolicy: INHERITING,
        ...some,
      });
    /** The survivors of a process, once it has closed and only programs of these names are left. */
    const leftOf = async (
      started: ExecProcess,
      expected: readonly string[],
    ): Promise<readonly Survivor[]> => {
      await untilEvent(started, 'closed');
      let left: readonly Survivor[] = [];
      // A program has another name, and is in another session, until it has detached itself.
      await until(async () => {
        left = await started.survivors();
        seen.push(...left);
        return isDeepStrictEqual(names(left), expected) && left.every(({ why }) => why === 'otherSession');
      });
      return left;
    };
    const names = (left: readonly Survivor[]) => left.map(({ command }) => command).sort();

    // The way to a backend makes no difference to what programs do.
    const programs = kind.server === undefined ? detached : detached.slice(0, 1);
    for (const tty of [false, true]) {
      for (const [what, script, left] of programs) {
        it(`is found, named and left alone: ${what} ${tty ? 'in a terminal' : 'on pipes'}`, async () => {
          const started = await start(script, { tty });
          const found = await leftOf(started, left);
          const report = await started.stop({ graceMs });
          assert.deepEqual([report.running, names(report.survivors)], [false, left]);
          for (const { pid } of found) {
            assert.ok(await isRunning(pid));
          }
        });
      }
    }

    it('is named by the stop of a running process as well', async () => {
      // It is no child of the shell any more, and keeps nothing of it open.
      const detach = `(setsid sh -c 'echo >"$UP"; exec sleep 1000' ${ALONE})`;
      const UP = path.join(folder, 'up');
      const started = await start(`${detach}; exec sleep 1000`, { env: { UP } });
      await until(() => existsSync(UP));
      const report = await started.stop({ graceMs });
      seen.push(...report.survivors);
      assert.deepEqual([report.running, report.exited, report.survivors.length], [true, true, 1]);
      assert.equal(report.survivors[0]?.why, 'otherSession');
    });

    it('are those that a stop still reaches, and those that it does not', async () => {
      const started = await start(`sleep 1001 ${ALONE} setsid sleep 1002 ${ALONE}`);
      await untilEvent(started, 'closed');
      await until(async () => {
        const found = await started.survivors();
        seen.push(...found);
        return isDeepStrictEqual(found.map(({ why }) => why).sort(), ['otherSession', 'stillRunning']);
      });
      const report = await started.stop({ graceMs });
      assert.deepEqual([report.running, report.survivors.map(({ why }) => why)], [true, ['otherSession']]);
      assert.deepEqual(await started.survivors(), report.survivors);
    });

    it('ends one by one, and nothing else with it', async () => {
      const started = await start(`setsid sleep 1001 ${ALONE} setsid sleep 1002 ${ALONE}`);
      const [one, other] = await leftOf(started, ['sleep', 'sleep']);
      assert.ok(one !== undefined && other !== undefined);
      const report = await started.endSurvivor(one, { graceMs });
      assert.deepEqual(report, { running: true, steps: ['terminate'], exited: true, survivors: [] });
      assert.ok(!(await isRunning(one.pid)));
      assert.deepEqual(await started.survivors(), [other]);
      // A second time there is nothing to end, and a process that has the number now is left alone.
      assert.deepEqual((await started.endSurvivor(one, { graceMs })).steps, []);
    });

    it('is killed if it does not terminate', async () => {
      const started = await start(`trap '' TERM; setsid sleep 1000 ${ALONE}`);
      const [left] = await leftOf(started, ['sleep']);
      assert.ok(left !== undefined);
      const report = await started.endSurvivor(left, { graceMs: { terminate: 100, kill: 5_000 } });
      assert.deepEqual([report.steps, report.exited], [['terminate', 'kill'], true]);
    });

    it('is ended only under the identity that was named', async () => {
      const started = await start(`setsid sleep 1000 ${ALONE}`);
      const [left] = await leftOf(started, ['sleep']);
      assert.ok(left !== undefined);
      const refused = `process ${left.pid} has not been named as left behind`;
      await assertRejects(started.endSurvivor({ ...left, startTime: '1' }), -32600, refused);
      const own = { pid: process.pid, startTime: left.startTime };
      await assertRejects(started.endSurvivor(own), -32600, /has not been named/);
      assert.ok(await isRunning(left.pid));
    });

    it('are empty while it runs, and after everything has ended', async () => {
      const started = await start(`(setsid sleep 1000 ${ALONE}); exec sleep 1000`);
      assert.deepEqual(await started.survivors(), []);
      seen.push(...(await started.stop({ graceMs })).survivors);
      assert.deepEqual(await leftOf(await start('true', { processId: 'other' }), []), []);
    });

    it('belong to one process: two processes, and two backends, each name only their own', async () => {
      const second = await another();
      const script = (seconds: number) => sh(`setsid sleep ${seconds} ${ALONE}`);
      const all = await Promise.all([
        start('', { argv: script(1001) }),
        start('', { argv: script(1002), processId: 'second' }),
        second.start({
          processId: 'third',
          argv: script(1003),
          cwd: '/',
          env: {},
          envPolicy: INHERITING,
          tty: false,
        }),
      ]);
      const left = await Promise.all(all.map((started) => leftOf(started, ['sleep'])));
      assert.equal(new Set(left.flat().map(({ pid }) => pid)).size, 3);
    });

    it('are not found by a mark that the start itself brings along', async () => {
      const first = await start('printf %s "$EXEC_SESSION_ID"');
      const mark = (await collectReads(first)).output;
      assert.match(mark, /^[0-9a-f-]{36}\/\d+@\S+$/);
      const env = { EXEC_SESSION_ID: mark };
      for (const policy of [INHERITING, undefined]) {
        const processId = policy === undefined ? 'exact' : 'inherits';
        const script = `echo "$EXEC_SESSION_ID"; setsid sleep 1000 ${ALONE}`;
        const inner = await start(script, { processId, env, envPolicy: policy });
        const { output } = await collectReads(inner);
        assert.match(output, /^[0-9a-f-]{36}\/\d+@\S+\n$/);
        assert.notEqual(output.trim(), mark);
        await leftOf(inner, ['sleep']);
      }
      assert.deepEqual(await first.survivors(), []);
    });

    it('is not found without the variables of the machine: these starts get exactly what they ask for', async () => {
      const policies = [
        undefined,
        { ...INHERITING, inherit: 'none' },
        { ...INHERITING, inherit: 'core' },
        { ...INHERITING, exclude: ['EXEC_*'] },
        { ...INHERITING, includeOnly: ['PATH'] },
      ] as const;
      for (const [index, policy] of policies.entries()) {
        const started = await start('env', { processId: String(index), envPolicy: policy });
        assert.doesNotMatch((await collectReads(started)).output, /EXEC_SESSION_ID/);
      }
    });

    it('is not found if it has cleared its variables', async () => {
      const started = await start(`env -i setsid sleep 1000 ${ALONE} echo $!`);
      const { output } = await collectReads(started);
      seen.push({ pid: Number(output), startTime: '', command: '', why: 'otherSession' });
      // It is in the session of its shell until setsid takes it out.
      await until(async () => (await started.survivors()).length, 0);
      assert.ok(await isRunning(Number(output)));
    });
  });
}

for (const kind of backendKinds.filter(({ server }) => server === 'codex')) {
  describe(`The survivors of a process on the ${kind.name} backend`, () => {
    const fixture = useBackend(kind);

    it('cannot be found out', async () => {
      const started = await fixture.start({ argv: sh('true') });
      const text = 'the exec-server does not support survivors';
      assert.equal(fixture.backend.capabilities.survivors, false);
      await assertRejects(started.survivors(), -32600, text);
      await assertRejects(started.endSurvivor({ pid: 1, startTime: '1' }), -32600, text);
    });
  });
}
