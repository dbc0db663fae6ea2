import assert from 'node:assert/strict';

import type { ExecProcess, StopReport } from '../../src/core/index.js';
import { listProcesses } from '../../src/local/marks/processTable.js';
import { assertRejects } from '../support/assertRejects.js';
import { utf8 } from '../support/bytes.js';
import { collectEvents, untilEvent, untilOutput } from '../support/collect.js';
import { killIfThere } from '../support/killIfThere.js';
import { commandLine } from '../support/processes.js';
import { until } from '../support/until.js';
import { INTERACTIVE_BASH, sh } from '../support/startParams.js';
import type { BackendFixture } from './backends.js';
import type { Deviation } from './deviations.js';

const stopping = (test: string) => `Stopping on the * backend > ${test}`;
const ends = (test: string) => `Exit and close on the * backend > ${test}`;

const graceMs = { interrupt: 150, hangup: 150, terminate: 150, kill: 5_000 };
const LOOP = 'echo ready; while :; do sleep 0.02; done';
const NOTHING: StopReport = { running: false, steps: [], exited: true, survivors: [] };

/**
 * The server names no processes, so the children of a command are found by a time to sleep that no other process has.
 * They are ended with `endAll`, because nothing else would end them.
 */
class Sleepers {
  static #made = 0;
  readonly seconds = `1234.${globalThis.process.pid}${(Sleepers.#made += 1)}5`;

  async pids(): Promise<number[]> {
    const rows = await listProcesses();
    return rows
      .filter(
        ({ command, pid }) => command === 'sleep' && commandLine(pid).trim() === `sleep ${this.seconds}`,
      )
      .map(({ pid }) => pid);
  }

  /** Resolves once there are sleepers. */
  there(): Promise<void> {
    return until(async () => (await this.pids()).length > 0);
  }

  endAll(): Promise<void> {
    return until(async () => {
      const pids = await this.pids();
      pids.forEach((pid) => killIfThere(pid));
      return pids.length === 0;
    });
  }
}

async function startReady({ start }: BackendFixture, script: string, tty: boolean): Promise<ExecProcess> {
  const process = await start({ argv: sh(script), tty });
  await untilOutput(process, 'ready');
  return process;
}

const onBoth: readonly Deviation[] = [false, true].flatMap((tty): readonly Deviation[] => {
  const on = (test: string) => stopping(`${tty ? 'with a terminal' : 'on pipes'} > ${test}`);
  return [
    {
      test: on('ends with the interrupt if that is enough'),
      reason: 'it does not name the signal',
      instead: async (fixture) => {
        const process = await startReady(fixture, LOOP, tty);
        const report = await process.stop();
        assert.deepEqual(report, { running: true, steps: ['interrupt'], exited: true, survivors: [] });
        assert.deepEqual(process.info().exit, { exitCode: tty ? 1 : 130 });
      },
    },
    {
      test: on('goes on step by step, to the kill'),
      reason: 'there are only interrupt and kill',
      instead: async (fixture) => {
        const process = await startReady(fixture, `trap '' INT HUP TERM; ${LOOP}`, tty);
        const report = await process.stop({ graceMs });
        assert.deepEqual(report, {
          running: true,
          steps: ['interrupt', 'kill'],
          exited: true,
          survivors: [],
        });
        assert.deepEqual(process.info().exit, { exitCode: tty ? 1 : 137 });
      },
    },
    {
      test: on('leaves out a step without a grace'),
      reason: 'without the interrupt there is only the kill',
      instead: async (fixture) => {
        const process = await startReady(fixture, `trap '' INT; ${LOOP}`, tty);
        assert.deepEqual((await process.stop({ graceMs: { interrupt: 0 } })).steps, ['kill']);
      },
    },
    {
      test: on('can be cancelled: the next signal is not sent'),
      reason: 'who is left cannot be known',
      instead: async (fixture) => {
        const process = await startReady(fixture, `trap 'echo got it' INT; ${LOOP}`, tty);
        const abort = new AbortController();
        const stopped = process.stop({ signal: abort.signal, graceMs: { interrupt: 60_000 } });
        await untilOutput(process, 'got it');
        abort.abort();
        assert.deepEqual(await stopped, {
          running: true,
          steps: ['interrupt'],
          exited: false,
          survivors: [],
        });
      },
    },
    {
      test: on('wakes what has been suspended'),
      reason: 'nothing can be suspended from outside, and what suspends itself is killed',
      instead: async (fixture) => {
        const stopped = `[ "$(cut -d' ' -f3 /proc/$$/stat)" = T ]`;
        const script = `(until ${stopped}; do sleep 0.01; done; echo ready) & kill -STOP $$; ${LOOP}`;
        const process = await startReady(fixture, script, tty);
        await assertRejects(process.signal('SIGSTOP'), -32600, 'the exec-server does not support signal');
        assert.deepEqual((await process.stop({ graceMs })).steps, ['interrupt', 'kill']);
      },
    },
    {
      test: on('acts on the survivors of a process that has exited but not closed'),
      reason: 'it does nothing to a process that has exited',
      instead: async ({ start }) => {
        const left = new Sleepers();
        const script = `trap '' HUP; sleep ${left.seconds} & exit 3`;
        const process = await start({ argv: sh(script), tty });
        await untilEvent(process, 'exited');
        await left.there();
        assert.deepEqual(await process.stop({ graceMs }), NOTHING);
        assert.equal(process.info().state, 'exited');
        await left.endAll();
        await untilEvent(process, 'closed');
      },
    },
    {
      test: on('catches up with a session that keeps starting new processes'),
      reason: 'it kills one process group, and jobs have groups of their own',
      instead: async ({ start }) => {
        const left = new Sleepers();
        const script = `set -m; while :; do (sleep ${left.seconds} &); sleep 0.01; done`;
        const process = await start({ argv: ['bash', '-c', script], tty });
        await left.there();
        const report = await process.stop({ graceMs: { interrupt: 0 } });
        assert.deepEqual([report.exited, report.survivors], [true, []]);
        // The sleepers get a hang-up when their terminal is gone.
        assert.ok(tty || (await left.pids()).length > 0);
        await left.endAll();
      },
    },
    {
      test: on('acts on the leftover processes of a closed process'),
      reason: 'it does nothing to a process that has exited',
      instead: async ({ start }) => {
        const left = new Sleepers();
        const script = `trap '' HUP; sleep ${left.seconds} </dev/null >/dev/null 2>&1 & exit 0`;
        const process = await start({ argv: sh(script), tty });
        await untilEvent(process, 'closed');
        await left.there();
        assert.deepEqual(await process.stop({ graceMs }), NOTHING);
        assert.equal((await left.pids()).length, 1);
        await left.endAll();
      },
    },
    {
      test: on('names descendants that made a session of their own'),
      reason: 'which descendants there are cannot be known',
      instead: async (fixture) => {
        const left = new Sleepers();
        const process = await startReady(fixture, `setsid sleep ${left.seconds} & echo ready; wait`, tty);
        await left.there();
        const report = await process.stop({ graceMs });
        assert.deepEqual([report.exited, report.survivors], [true, []]);
        assert.equal((await left.pids()).length, 1);
        await left.endAll();
      },
    },
  ];
});

export const codexStopDeviations: readonly Deviation[] = [
  ...onBoth,
  ...['leaves nothing of a shell with jobs in the background', 'a terminate kills the whole session'].map(
    (test) => ({
      test: stopping(test),
      reason: 'it kills one process group, and jobs have groups of their own',
      instead: async ({ start }: BackendFixture) => {
        const left = new Sleepers();
        const process = await start({ ...INTERACTIVE_BASH, tty: true });
        await process.write(utf8(`(trap '' INT HUP TERM; sleep ${left.seconds}) &\n`));
        await left.there();
        assert.deepEqual(await process.terminate(), { running: true });
        assert.equal((await left.pids()).length, 1);
        await left.endAll();
      },
    }),
  ),
  {
    test: stopping('two at once do not disturb each other'),
    reason: 'it does not say the process id',
    instead: async (fixture) => {
      const process = await startReady(fixture, `trap '' INT; ${LOOP}`, false);
      assert.equal(process.info().pid, undefined);
      const reports = await Promise.all([process.stop({ graceMs }), process.stop({ graceMs })]);
      assert.ok(reports.every((report) => report.exited));
    },
  },
  {
    test: ends('A closed process > is remembered while it has only exited: only the close starts the clock'),
    reason: 'it does nothing to a process that has exited, which closes when its descendants do',
    instead: async ({ backend, start }) => {
      const process = await start({ argv: sh('sleep 1 & exit 0') });
      await untilEvent(process, 'exited');
      process.release();
      assert.equal((await backend.list())[0]?.state, 'exited');
      const held = await backend.attach(process.processId);
      assert.deepEqual(await held.stop(), NOTHING);
      await untilEvent(held, 'closed');
    },
  },
  {
    test: ends('a shutdown ends everything and forgets it'),
    reason: 'it does not name the signal',
    instead: async ({ backend, start }) => {
      const processes = await Promise.all(
        [false, true].map((tty) => start({ argv: ['sleep', '100'], tty, processId: `tty ${tty}` })),
      );
      const ended = processes.map(collectEvents);
      await backend.shutdown();
      const codes = (await Promise.all(ended)).map(({ exit }) => exit?.exitCode);
      assert.ok([130, 137].includes(codes[0] ?? 0));
      assert.equal(codes[1], 1);
      assert.deepEqual(await backend.list(), []);
    },
  },
];
