import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, symlinkSync } from 'node:fs';
import path from 'node:path';

import type { Forgotten } from '../../src/core/index.js';
import { endTree, findForgotten, Sightings } from '../../src/machine/index.js';
import { listProcesses } from '../../src/local/marks/processTable.js';
import { useMachine } from '../server/machine/machineFixture.js';
import { INHERITING } from '../support/envPolicy.js';
import { killIfThere } from '../support/killIfThere.js';
import { describeOnLinux } from '../support/onLinux.js';
import { processesWith } from '../support/processes.js';
import { sh } from '../support/startParams.js';
import { until } from '../support/until.js';

const ALONE = '</dev/null >/dev/null 2>&1';

/** Trees with workers in POSIX sessions of their own, that ignore signals, and that are stopped. */
const TREES = [
  'setsid sleep 1001 & sleep 1002 & wait',
  `trap "" TERM INT HUP; sleep 1001 & wait; sleep 1002`,
  'setsid sh -c "kill -STOP \\$\\$; sleep 1001" & sleep 1002 & wait',
  'sh -c "setsid sleep 1001 & sleep 1002 & wait" & wait',
];
const NODE_TREE = `exec '${process.execPath}' -e 'require("child_process").spawn("sleep", ["1001"], { detached: true }); setInterval(() => {}, 1e3)'`;

const treeOf = (index: number): string =>
  index % 25 === 0 ? NODE_TREE : (TREES[index % TREES.length] ?? '');

describeOnLinux('The broom', () => {
  const machine = useMachine();
  const started: ChildProcess[] = [];
  let left: string;
  let innocent: string;

  beforeEach(() => {
    left = `LEFT_BY_TEST=${randomUUID()}`;
    innocent = `INNOCENT_OF_TEST=${randomUUID()}`;
  });

  afterEach(() => {
    started.splice(0).forEach((child) => child.kill('SIGKILL'));
    [left, innocent].flatMap((mark) => processesWith(mark)).forEach((pid) => killIfThere(pid));
  });

  const variable = (text: string): Record<string, string> => {
    const [name = '', value = ''] = text.split('=');
    return { [name]: value };
  };
  const start = (program: string, args: readonly string[], env: Record<string, string>): number => {
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      cwd: machine.folder,
      stdio: 'ignore',
    });
    started.push(child);
    return child.pid ?? assert.fail('not started');
  };

  /** Sessions that end at once, and leave a tree each. */
  const leaveBySessions = async (count: number): Promise<void> => {
    const { backend } = (await machine.connect()) ?? assert.fail();
    for (let index = 0; index < count; index += 1) {
      const session = await backend.start({
        ...{ processId: `session-${index}`, argv: sh(`${quoted(treeOf(index))} ${ALONE} &`) },
        ...{ cwd: machine.folder, env: variable(left), envPolicy: INHERITING, tty: false, owned: true },
      });
      await until(() => session.info().state === 'closed');
    }
  };

  /** An agent that starts trees, is seen once, and is killed. */
  const leaveByAgent = async (count: number, sightings: Sightings): Promise<void> => {
    const agent = path.join(machine.folder, 'claude');
    symlinkSync('/bin/bash', agent);
    const trees = Array.from({ length: count }, (_, index) => `setsid ${quoted(treeOf(index))} ${ALONE} &`);
    const pid = start(agent, ['-c', `${trees.join('\n')}\nwait`], variable(left));
    await until(async () => (await sightings.look()).filter(({ owner }) => owner?.pid === pid).length, count);
    killIfThere(pid);
  };

  it('sweeps 200 leftovers, and touches nothing else @all', async () => {
    const sightings = new Sightings();
    const find = async (): Promise<readonly Forgotten[]> => {
      const found = await findForgotten(await sightings.look(), machine.env, Date.now(), () => assert.fail());
      return found.filter(({ cwd }) => cwd === machine.folder);
    };
    const claim = { ...variable(innocent), CLAUDE_CODE_SESSION_ID: randomUUID() };
    for (let index = 0; index < 20; index += 1) {
      start('setsid', ['-f', 'sleep', '1003'], claim);
      start('sleep', ['1004'], variable(innocent));
    }
    await leaveByAgent(100, sightings);
    await leaveBySessions(100);
    await until(async () => (await find()).length, 220);
    const innocents = processesWith(innocent);
    assert.equal(innocents.length, 40);

    const swept = (await find()).filter(({ spared }) => spared === undefined);
    const reused = started.flatMap(({ pid = 0 }) => (innocents.includes(pid) ? [pid] : []));
    const wrong = reused.map((pid) => ({ pid, startTime: '1' }));
    assert.deepEqual([swept.length, wrong.length], [200, 20]);
    const reports = await Promise.all([...swept, ...wrong].map((one) => endTree(one)));

    assert.deepEqual(
      reports.filter(({ exited, survivors }) => !exited || survivors.length > 0),
      [],
    );
    assert.deepEqual(processesWith(left), []);
    assert.deepEqual(processesWith(innocent), innocents);
    const alive = new Map((await listProcesses()).map((row) => [row.pid, row]));
    assert(innocents.every((pid) => alive.get(pid)?.command === 'sleep' && existsSync(`/proc/${pid}`)));
  });
});

/** A script for a shell of its own. */
function quoted(script: string): string {
  return `sh -c '${script.replaceAll("'", `'\\''`)}'`;
}
