import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';

import { MARK_VARIABLE, type ProcessIdentity } from '../../../../src/core/index.js';
import { bootId, endTree, processNamespace, startTimeOf } from '../../../../src/local/index.js';
import { asUser, NOBODY } from '../../../support/otherUser.js';
import { asRoot, describeOnLinux } from '../../../support/onLinux.js';
import { killIfThere } from '../../../support/killIfThere.js';
import { commandLine, isRunning, processesWith } from '../../../support/processes.js';
import { until } from '../../../support/until.js';

const graceMs = { terminate: 500, kill: 10_000 };

describeOnLinux('The tree of a process', () => {
  let mark: string;
  const started: ChildProcess[] = [];

  beforeEach(() => {
    mark = `TREE_OF_TEST=${randomUUID()}`;
  });

  afterEach(() => {
    started.splice(0).forEach((child) => child.kill('SIGKILL'));
    processesWith(mark).forEach((pid) => killIfThere(pid));
  });

  const identityOf = (pid: number): ProcessIdentity => ({ pid, startTime: startTimeOf(pid) ?? '' });

  /** Starts a program whose children can be found; `sleeps` of them run `sleep` in the end. */
  const start = async (
    argv: readonly [string, ...string[]],
    sleeps: number | ((count: number) => boolean),
  ): Promise<ProcessIdentity> => {
    const [name, value = ''] = mark.split('=');
    const env = { ...process.env, [name ?? '']: value };
    const child = spawn(argv[0], argv.slice(1), { env, stdio: 'ignore' });
    started.push(child);
    await until(() => sleeping().length, sleeps);
    return identityOf(child.pid ?? assert.fail('not started'));
  };
  const sh = (script: string, sleeps: number) => start(['sh', '-c', script], sleeps);
  const sleeping = () => processesWith(mark).filter((pid) => commandLine(pid).startsWith('sleep '));

  it('ends with workers in sessions of their own, with what ignores signals, and with what is stopped', async () => {
    const root = await sh(
      `setsid sleep 1001 & setsid sh -c 'trap "" TERM INT HUP; sleep 1002 & wait; sleep 1002' &
       sh -c 'kill -STOP $$; sleep 1003' & sleep 1004 & wait`,
      3,
    );
    const { exited, survivors, steps } = await endTree(root, { graceMs });
    assert.deepEqual([exited, survivors, steps], [true, [], ['terminate', 'kill']]);
    assert.deepEqual(processesWith(mark), []);
  });

  it('ends although it starts process after process until it is killed', async () => {
    for (let round = 0; round < 3; round += 1) {
      const root = await start(
        ['bash', '-c', 'for i in {1..300}; do setsid sleep 1001 & done; wait'],
        (count) => count > 0,
      );
      const { exited, survivors } = await endTree(root, { graceMs: { terminate: 0, kill: 10_000 } });
      assert.deepEqual([exited, survivors, processesWith(mark)], [true, [], []]);
    }
  });

  it('does not take along the processes of its group', async () => {
    const shell = await sh('sleep 1001 & sleep 1002 & wait', 2);
    const [one = 0, other = 0] = sleeping();
    const { survivors } = await endTree(identityOf(one));
    assert.deepEqual([survivors, await isRunning(one)], [[], false]);
    assert.deepEqual([await isRunning(other), await isRunning(shell.pid)], [true, true]);
  });

  it('is left alone if its number belongs to another process by now', async () => {
    const { pid, startTime } = await sh('sleep 1001 & wait', 1);
    const { running } = await endTree({ pid, startTime: String(Number(startTime) - 1) }, { graceMs });
    assert.deepEqual([running, processesWith(mark).length], [false, 2]);
  });

  it('is left alone if this program belongs to it', async () => {
    const { exited, steps, survivors } = await endTree(identityOf(process.ppid));
    assert.deepEqual([exited, steps], [false, []]);
    assert(survivors.some(({ pid }) => pid === process.ppid));
  });

  it('ends without a session server and what runs there', async () => {
    const root = await sh(`sh -c 'sleep 1001 & sleep 1002 & wait' & wait`, 2);
    const [one = 0] = sleeping();
    const server = processesWith(mark).find((pid) => pid !== root.pid && !sleeping().includes(pid)) ?? 0;
    // The mark that a server gives to its sessions says which one it is.
    const holder = `${server}.${startTimeOf(server) ?? ''}.${bootId()}.${processNamespace()}`;
    await start(['env', `${MARK_VARIABLE}=x/1@${holder}`, 'sleep', '1003'], 3);
    assert.deepEqual((await endTree(identityOf(server), { graceMs })).steps, []);
    assert.equal((await endTree(root, { graceMs })).exited, true);
    assert.deepEqual(
      [await isRunning(root.pid), await isRunning(server), await isRunning(one)],
      [false, true, true],
    );
  });

  asRoot('names the processes of another user, and leaves them alone', async () => {
    const root = await sh(`${asUser(NOBODY, ['sleep', '1001']).join(' ')} & sleep 1002 & wait`, 2);
    const { survivors } = await endTree(root, { graceMs });
    assert.deepEqual(
      sleeping(),
      survivors.map(({ pid }) => pid),
    );
    assert.deepEqual(
      survivors.map(({ command }) => command),
      ['sleep'],
    );
  });
});
