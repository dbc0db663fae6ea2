import assert from 'node:assert/strict';

import type { ExecProcess } from '../../src/core/index.js';
import { listProcesses, type ProcessRow } from '../../src/local/marks/processTable.js';
import { utf8 } from '../support/bytes.js';
import { untilEvent, untilOutput } from '../support/collect.js';
import { isRunning, sessionMembers } from '../support/processes.js';
import { until } from '../support/until.js';
import { INTERACTIVE_BASH, sh } from '../support/startParams.js';
import { contractKinds, endedBy, testsOf, useBackend } from './backends.js';

/** Quick steps, so that a test of the whole ladder is short. */
const graceMs = { interrupt: 150, hangup: 150, terminate: 150, kill: 5_000 };

for (const kind of contractKinds) {
  const it = testsOf(kind);
  describe(`Stopping on the ${kind.name} backend`, () => {
    const fixture = useBackend(kind);
    const { start } = fixture;
    /** Starts a script, and waits until it has printed `ready`. */
    const startScript = async (script: string, tty: boolean): Promise<ExecProcess> => {
      const process = await start({ argv: sh(script), tty });
      await untilOutput(process, 'ready');
      return process;
    };
    const pidOf = (process: ExecProcess): number => process.info().pid ?? assert.fail('no pid');

    for (const tty of [false, true]) {
      describe(tty ? 'with a terminal' : 'on pipes', () => {
        const loop = 'echo ready; while :; do sleep 0.02; done';

        it('ends with the interrupt if that is enough', async () => {
          const process = await startScript(loop, tty);
          const report = await process.stop();
          assert.deepEqual(report, { running: true, steps: ['interrupt'], exited: true, survivors: [] });
          assert.deepEqual(process.info().exit, endedBy(kind, 'SIGINT', 130));
        });

        it('goes on step by step, to the kill', async () => {
          const process = await startScript(`trap '' INT HUP TERM; ${loop}`, tty);
          const report = await process.stop({ graceMs });
          const steps = tty
            ? ['interrupt', 'hangup', 'terminate', 'kill']
            : ['interrupt', 'terminate', 'kill'];
          assert.deepEqual(report, { running: true, steps, exited: true, survivors: [] });
          assert.deepEqual(process.info().exit, { exitCode: 137, signal: 'SIGKILL' });
        });

        it('leaves out a step without a grace', async () => {
          const process = await startScript(`trap '' INT; ${loop}`, tty);
          const report = await process.stop({ graceMs: { interrupt: 0, hangup: 0 } });
          assert.deepEqual(report.steps, ['terminate']);
        });

        it('can be cancelled: the next signal is not sent', async () => {
          const process = await startScript(`trap 'echo got it' INT; ${loop}`, tty);
          const abort = new AbortController();
          const stopped = process.stop({ signal: abort.signal, graceMs: { interrupt: 60_000 } });
          await untilOutput(process, 'got it');
          abort.abort();
          const report = await stopped;
          assert.deepEqual([report.steps, report.exited], [['interrupt'], false]);
          assert.equal(report.survivors[0]?.why, 'stillRunning');
        });

        it('wakes what has been suspended', async () => {
          const process = await startScript(loop, tty);
          await process.signal('SIGSTOP');
          const last = tty ? 'hangup' : 'terminate';
          const report = await process.stop({ graceMs: { ...graceMs, [last]: 60_000 } });
          assert.deepEqual([report.steps.at(-1), report.exited], [last, true]);
        });

        it('acts on the survivors of a process that has exited but not closed', async () => {
          const process = await start({
            argv: sh(`trap '' HUP INT; sleep 100 & trap - INT; sleep 101 & exit 3`),
            tty,
          });
          await untilEvent(process, 'exited');
          const report = await process.stop({ graceMs });
          assert.deepEqual([report.running, report.exited, report.survivors], [true, true, []]);
          await untilEvent(process, 'closed');
          assert.deepEqual(await sessionMembers(pidOf(process)), []);
        });

        it('catches up with a session that keeps starting new processes', async () => {
          const script = 'set -m; echo ready; while :; do (sleep 200.5 &); done';
          const process = await start({ argv: ['bash', '-c', script], tty });
          await untilOutput(process, 'ready');
          const report = await process.stop({ graceMs: { interrupt: 0, hangup: 0, terminate: 0 } });
          assert.deepEqual([report.exited, report.survivors], [true, []]);
          assert.deepEqual(await sessionMembers(pidOf(process)), []);
        });

        it('acts on the leftover processes of a closed process', async () => {
          const process = await start({
            argv: sh(`trap '' HUP; sleep 1000 </dev/null >/dev/null 2>&1 & exit 0`),
            tty,
          });
          await untilEvent(process, 'closed');
          const report = await process.stop({ graceMs });
          assert.deepEqual([report.running, report.survivors], [true, []]);
          assert.deepEqual(await sessionMembers(pidOf(process)), []);
        });

        it('names descendants that made a session of their own', async () => {
          const process = await startScript('setsid sleep 4711 & echo ready; wait', tty);
          const own = () => process.info().pid;
          let outside: ProcessRow | undefined;
          await until(async () => {
            const rows = await listProcesses();
            outside = rows.find(
              (row) => row.ppid === own() && row.sid === row.pid && row.command === 'sleep',
            );
            return outside !== undefined;
          });
          const { pid = 0, startTime } = outside ?? {};
          const report = await process.stop({ graceMs });
          const survivor = { pid, startTime, command: 'sleep', why: 'otherSession' };
          // Whether it holds the output is said once the exit is known.
          assert.deepEqual(
            report.survivors.map((found) => ({ ...found, holdsOutput: true })),
            [{ ...survivor, holdsOutput: true }],
          );
          // The survivor keeps the output open, and is found again although its parent is gone.
          const again = await process.stop({ graceMs });
          assert.deepEqual(again.survivors, [{ ...survivor, holdsOutput: true }]);
          globalThis.process.kill(pid, 'SIGKILL');
          await untilEvent(process, 'closed');
        });
      });
    }

    it('leaves nothing of a shell with jobs in the background', async () => {
      const process = await start({ ...INTERACTIVE_BASH, tty: true });
      await process.write(utf8('sleep 1000 & sleep 1001 | sleep 1002 | sleep 1003 &\necho rea$((1))dy\n'));
      await untilOutput(process, 'rea1dy');
      await until(async () => (await sessionMembers(pidOf(process))).length, 5);
      const report = await process.stop();
      assert.deepEqual(report, {
        running: true,
        steps: ['interrupt', 'hangup'],
        exited: true,
        survivors: [],
      });
      assert.deepEqual(await sessionMembers(pidOf(process)), []);
    });

    it('a terminate kills the whole session', async () => {
      const process = await start({ ...INTERACTIVE_BASH, tty: true });
      await process.write(utf8(`(trap '' INT HUP TERM; sleep 1000) &\necho rea$((1))dy\n`));
      await untilOutput(process, 'rea1dy');
      assert.deepEqual(await process.terminate(), { running: true });
      assert.deepEqual(await sessionMembers(pidOf(process)), []);
    });

    it('finds nothing to do on a closed or an unknown process', async () => {
      const nothing = { running: false, steps: [], survivors: [] };
      const process = await start({ argv: ['true'] });
      await untilEvent(process, 'closed');
      // The program that makes a sandbox ends a moment later.
      const { pid } = process.info();
      await until(async () => pid === undefined || !(await isRunning(pid)));
      assert.deepEqual(await process.stop(), { ...nothing, exited: true });
      assert.deepEqual(await fixture.backend.stop('nobody'), { ...nothing, exited: false });
    });

    it('two at once do not disturb each other', async () => {
      const process = await startScript(`trap '' INT; echo ready; while :; do sleep 0.02; done`, false);
      const reports = await Promise.all([process.stop({ graceMs }), process.stop({ graceMs })]);
      assert.ok(reports.every((report) => report.exited && report.survivors.length === 0));
      assert.ok(!(await isRunning(pidOf(process))));
    });
  });
}
