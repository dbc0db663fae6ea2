import assert from 'node:assert/strict';

import { isRunning, sessionMembers } from '../support/processes.js';
import { useServer } from './inProcess.js';
import { sh, startParams } from './rawClient.js';

describe('Ending processes over the wire', () => {
  const fixture = useServer();

  describe('process/signal', () => {
    it('interrupts, sends the others, and says which there are', async () => {
      const client = await fixture.client();
      await client.start(
        'p',
        sh(`trap 'echo usr1' USR1; trap 'echo int; exit 5' INT; echo ready; while :; do sleep 0.02; done`),
      );
      await client.untilTrue(() => client.output('p').includes('ready'));
      assert.deepEqual(await client.request('process/signal', { processId: 'p', signal: 'SIGUSR1' }), {});
      await client.untilTrue(() => client.output('p').includes('usr1'));
      assert.deepEqual(await client.request('process/signal', { processId: 'p', signal: 'interrupt' }), {});
      assert.equal((await client.told('p', 'exited')).params['exitCode'], 5);
      assert.deepEqual(await client.request('process/signal', { processId: 'p', signal: 'interrupt' }), {});
      assert.deepEqual(
        await client.request('process/signal', { processId: 'nobody', signal: 'interrupt' }),
        {},
      );
      assert.deepEqual(await client.refused('process/signal', { processId: 'nobody', signal: 'term' }), [
        -32602,
        '"signal" is wrong: it has to be "interrupt", or a signal of this machine by its name',
      ]);
    });
  });

  describe('process/terminate', () => {
    for (const tty of [false, true]) {
      it(`kills the whole POSIX session and lets go of the output ${tty ? 'of a terminal' : 'of pipes'}`, async () => {
        const client = await fixture.client();
        const script = `(trap '' HUP; sleep 1000) & setsid sh -c 'trap "" HUP; echo $$; sleep 1000' & wait`;
        const { pid } = await client.start('p', sh(script), { tty });
        await client.told('p', 'output');
        const outside = Number(client.output('p'));
        assert.deepEqual(await client.request('process/terminate', { processId: 'p' }), { running: true });
        assert.equal((await client.told('p', 'exited')).params['exitCode'], 137);
        await client.told('p', 'closed');
        assert.deepEqual(await sessionMembers(Number(pid)), []);
        assert.ok(await isRunning(outside));
        process.kill(-outside, 'SIGKILL');
        assert.deepEqual(await client.request('process/terminate', { processId: 'p' }), { running: false });
      });
    }

    it('leaves alone what a process that has ended has left in the background', async () => {
      const client = await fixture.client();
      const { pid } = await client.start('p', sh('sleep 1000 >/dev/null 2>&1 & exit 0'));
      await client.told('p', 'closed');
      assert.deepEqual(await client.request('process/terminate', { processId: 'p' }), { running: false });
      assert.equal((await sessionMembers(Number(pid))).length, 1);
      const report = await client.request('process/stop', {
        processId: 'p',
        stopId: 's',
        graceMs: { interrupt: 0 },
      });
      assert.deepEqual(report, { running: true, steps: ['terminate'], exited: true, survivors: [] });
    });

    it('cancels a start', async () => {
      const client = await fixture.client();
      // With `arg0` the program is searched for first, which takes many turns of the event loop; otherwise it may run
      // before the next message.
      const start = { ...startParams('p', ['sleep', '100']), tty: true, arg0: 'other' };
      const starting = client.ask('process/start', start);
      const terminated = client.request('process/terminate', { processId: 'p' });
      assert.deepEqual(await terminated, { running: true });
      assert.deepEqual((await starting).error?.message, 'process p start was cancelled');
      assert.deepEqual(await client.refused('process/read', { processId: 'p' }), [
        -32600,
        'unknown process id p',
      ]);
    });
  });

  describe('process/stop', () => {
    it('climbs the ladder, and can be cancelled', async () => {
      const client = await fixture.client();
      const script = `trap 'echo int' INT; echo ready; while :; do sleep 0.02; done`;
      await client.start('p', sh(script));
      await client.told('p', 'output');
      const params = { processId: 'p', stopId: 'mine', graceMs: { interrupt: 60_000 } };
      const stopped = client.request('process/stop', params);
      await client.untilTrue(() => client.output('p').includes('int'));
      assert.deepEqual(await client.request('process/cancelStop', { stopId: 'mine' }), {});
      const { steps, exited } = await stopped;
      assert.deepEqual([steps, exited], [['interrupt'], false]);
      const report = await client.request('process/stop', { ...params, graceMs: { interrupt: 0 } });
      assert.deepEqual(report, { running: true, steps: ['terminate'], exited: true, survivors: [] });
      assert.deepEqual(await client.request('process/stop', { processId: 'nobody', stopId: 'x' }), {
        running: false,
        steps: [],
        exited: false,
        survivors: [],
      });
    });
  });
});
