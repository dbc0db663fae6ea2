import assert from 'node:assert/strict';

import type { ProcessMetadata } from '../../../src/core/index.js';
import type { Machine } from '../../../src/machine/index.js';
import { LeapingNode } from '../../support/leapingNode.js';
import { openFiles, isRunning } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { params } from '../../support/startParams.js';
import { useMachine } from './machineFixture.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const AGENT = { kind: 'agent', name: 'Claude' };
const USER = { kind: 'user' };

describe('The program of a session server, while no window is open,', () => {
  const fixture = useMachine();

  /** A server in whose program time leaps. */
  const open = () => {
    const node = new LeapingNode(fixture.folder);
    const connect = async (personSeconds: number): Promise<Machine> => {
      const machine = await fixture.connect({ node: node.file });
      assert.ok(machine !== undefined);
      await machine.backend.keepWithoutClient({ personSeconds, agentSeconds: 10 * MINUTE });
      return machine;
    };
    const start = async ({ backend }: Machine, processId: string, metadata: ProcessMetadata) => {
      const argv = ['sleep', '1000000'];
      const started = await backend.start(
        params({ processId, argv, owned: true, metadata: { ...metadata, title: processId } }),
      );
      const { pid } = started.info();
      assert.ok(pid !== undefined);
      return pid;
    };
    const sockets = (pid: number) =>
      [...openFiles(pid).values()].filter((file) => file.startsWith('socket:')).length;
    /** Leaves the server, which then knows that it has no client. */
    const leave = async (machine: Machine) => {
      const [pid = 0] = await fixture.servers();
      const before = sockets(pid);
      machine.disconnect();
      await until(() => sockets(pid) < before);
    };
    const leap = async (seconds: number) => node.leap((await fixture.servers())[0], seconds);
    return { connect, start, leave, leap };
  };
  const running = async (...pids: readonly number[]) => Promise.all(pids.map(isRunning));
  const untilGone = async (pid: number) => until(async () => !(await isRunning(pid)));
  /** The ends in the list, by titles: the time after which a session was ended, rounded to minutes. */
  const ends = async ({ backend }: Machine) =>
    (await backend.list()).map(({ state, metadata }) => {
      const { kind, afterSeconds = 0 } = (metadata['endedBy'] ?? {}) as {
        kind?: string;
        afterSeconds?: number;
      };
      return [metadata['title'], state, kind, Math.floor(afterSeconds / MINUTE)];
    });

  it('ends sessions of agents after ten minutes, and those of people, and kept ones, after twelve hours', async () => {
    const { connect, start, leave, leap } = open();
    const window = await connect(12 * HOUR);
    const person = await start(window, 'person', { origin: USER });
    const agent = await start(window, 'agent', { origin: AGENT });
    const kept = await start(window, 'kept', { origin: AGENT, keep: true });
    await leave(window);
    await leap(9 * MINUTE);
    assert.deepEqual(await running(person, agent, kept), [true, true, true]);
    await leap(MINUTE);
    await untilGone(agent);
    await leap(12 * HOUR - 11 * MINUTE);
    assert.deepEqual(await running(person, kept), [true, true]);
    await leap(MINUTE);
    await untilGone(person);
    await untilGone(kept);
    const back = await connect(12 * HOUR);
    await until(
      () => back.backend.list(),
      (seen) => seen.every(({ state }) => state === 'closed'),
    );
    assert.deepEqual((await ends(back)).sort(), [
      ['agent', 'closed', 'keepWithoutClient', 10],
      ['kept', 'closed', 'keepWithoutClient', 12 * MINUTE],
      ['person', 'closed', 'keepWithoutClient', 12 * MINUTE],
    ]);
    await leave(back);
    await leap(12 * HOUR);
    await until(async () => (await fixture.servers()).length, 0);
  });

  it('survives a reload with 0, ends nothing with -1, and ends itself after ten minutes without sessions', async () => {
    const { connect, start, leave, leap } = open();
    const window = await connect(0);
    const first = await start(window, 'first', { origin: USER });
    await leave(window);
    await leap(MINUTE);
    const reloaded = await connect(0);
    await leave(reloaded);
    await leap(MINUTE);
    assert.deepEqual(await running(first), [true]);
    await leap(MINUTE);
    await untilGone(first);
    const next = await connect(-1);
    await until(
      () => next.backend.list(),
      (seen) => seen.every(({ state }) => state === 'closed'),
    );
    assert.deepEqual(await ends(next), [['first', 'closed', 'keepWithoutClient', 2]]);
    const lasting = await start(next, 'lasting', { origin: USER });
    await leave(next);
    await leap(10_000 * HOUR);
    assert.deepEqual(await running(lasting), [true]);
    const last = await connect(-1);
    process.kill(lasting, 'SIGKILL');
    await until(
      () => last.backend.list(),
      (seen) => seen.every(({ state }) => state === 'closed'),
    );
    for (const { processId } of await last.backend.list()) {
      await last.backend.remove(processId);
    }
    await leave(last);
    await leap(9 * MINUTE);
    assert.equal((await fixture.servers()).length, 1);
    await leap(MINUTE);
    await until(async () => (await fixture.servers()).length, 0);
  });
});
