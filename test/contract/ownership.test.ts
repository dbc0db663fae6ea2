import assert from 'node:assert/strict';

import { type BackendChange, MOST_METADATA_CHARACTERS } from '../../src/core/index.js';
import { assertRejects } from '../support/assertRejects.js';
import { untilEvent } from '../support/collect.js';
import { FakeClock } from '../support/fakeClock.js';
import { until } from '../support/until.js';
import { params, sh } from '../support/startParams.js';
import { contractKinds, testsOf, useBackend, useBackends } from './backends.js';

for (const kind of contractKinds) {
  const it = testsOf(kind);

  describe(`Metadata on the ${kind.name} backend`, () => {
    const fixture = useBackend(kind);

    it('changes key by key, and null removes a key', async () => {
      const metadata = { title: 'one', kept: { deep: [1] }, gone: true };
      const process = await fixture.start({ argv: ['cat'], pipeStdin: true, metadata });
      const changes: BackendChange[] = [];
      fixture.backend.onDidChange((change) => changes.push(change));
      await process.describe({ title: 'two', gone: null, added: 3 });
      const expected = { title: 'two', kept: { deep: [1] }, added: 3 };
      assert.deepEqual(process.info().metadata, expected);
      assert.deepEqual((await fixture.backend.list())[0]?.metadata, expected);
      assert.deepEqual(changes, [{ type: 'changed', processId: process.processId }]);
      await process.terminate();
      await untilEvent(process, 'closed');
      await process.describe({ title: null });
      assert.deepEqual(process.info().metadata, { kept: { deep: [1] }, added: 3 });
    });

    it('stays unchanged if the condition of a change does not hold', async () => {
      const process = await fixture.start({ argv: ['cat'], pipeStdin: true, metadata: { by: { a: 1 } } });
      await process.describe({ one: 1 }, { provided: { by: { a: 2 } } });
      await process.describe({ one: null, two: 2 }, { provided: { by: { a: 1 }, one: 1 } });
      assert.deepEqual(process.info().metadata, { by: { a: 1 } });
      await process.describe({ by: 3, one: 1 }, { provided: { by: 3, other: null } });
      assert.deepEqual(process.info().metadata, { by: 3, one: 1 });
    });

    it('has a limit, and a change beyond it changes nothing', async () => {
      const process = await fixture.start({ argv: ['cat'], pipeStdin: true, metadata: { a: 1 } });
      const text = 'x'.repeat(MOST_METADATA_CHARACTERS);
      const error = await assertRejects(
        process.describe({ text }),
        -32602,
        'the metadata would be larger than 65536 characters',
      );
      assert.match(error.message, /The text cannot be stored with/);
      assert.deepEqual(process.info().metadata, { a: 1 });
      const most = text.slice('{"a":1,"text":""}'.length);
      await process.describe({ text: most });
      assert.deepEqual(process.info().metadata, { a: 1, text: most });
    });
  });

  describe(`The start parameters of a process on the ${kind.name} backend`, () => {
    const fixture = useBackend(kind);

    it('is known afterwards, with all its variables', async () => {
      const asked = {
        argv: sh('exit 0'),
        cwd: '/tmp',
        env: { PATH: process.env['PATH'] ?? '', A: 'b=c', EMPTY: '' },
        tty: false,
        pipeStdin: true,
      };
      const started = await fixture.start({ ...asked, metadata: { not: 'said' } });
      await untilEvent(started, 'closed');
      assert.deepEqual(await started.startedWith(), {
        ...asked,
        ...(kind.sandbox && { sandbox: kind.sandbox }),
      });
    });
  });

  describe(`Removing from the ${kind.name} backend`, () => {
    const create = useBackends(kind);

    it('takes an ended process from the list, whoever holds it, and leaves one that runs', async () => {
      const backend = await create();
      const ended = await backend.start(params({ argv: sh('echo out'), processId: 'ended' }));
      const running = await backend.start(params({ argv: ['cat'], pipeStdin: true, processId: 'running' }));
      await untilEvent(ended, 'closed');
      const changes: BackendChange[] = [];
      backend.onDidChange((change) => changes.push(change));
      await backend.remove('ended');
      assert.deepEqual(changes, [{ type: 'removed', processId: 'ended' }]);
      assert.deepEqual(
        (await backend.list()).map(({ processId }) => processId),
        ['running'],
      );
      await assertRejects(backend.attach('ended'), -32600, 'unknown process id ended');
      // Clients that hold it can still read the output that is here.
      assert.equal((await ended.read()).exit?.exitCode, 0);
      await assertRejects(backend.remove('running'), -32600, 'process running has not exited');
      assert.equal(running.info().state, 'running');
      // Another client may have been faster.
      await backend.remove('ended');
      await backend.remove('never there');
    });

    it('is possible from the exit on, and what is left running goes on', async () => {
      const backend = await create();
      const left = await backend.start(params({ argv: sh('sleep 1000 & echo $!; exit 0'), processId: 'p' }));
      await untilEvent(left, 'exited');
      const { pid } = left.info();
      await backend.remove('p');
      assert.deepEqual(await backend.list(), []);
      if (kind.server !== 'codex' && pid !== undefined) {
        process.kill(-pid, 0);
        process.kill(-pid, 'SIGKILL');
      }
    });
  });

  describe(`An owned process on the ${kind.name} backend`, () => {
    const create = useBackends(kind);

    it('stays until it is removed', async () => {
      const clock = new FakeClock(1_000);
      const backend = await create({ retentionMs: 25, clock });
      const owned = await backend.start(params({ argv: ['true'], processId: 'owned', owned: true }));
      await untilEvent(owned, 'closed');
      owned.release();
      const { ownership } = backend.capabilities;
      assert.equal(owned.info().owned ?? false, ownership);
      // Longer than the retention, and shorter than the silence after which a connection counts as lost.
      clock.advance(10_000);
      const stays = async () => (await backend.list()).length > 0;
      assert.equal(await stays(), ownership);
      await backend.remove('owned');
      await until(async () => !(await stays()));
    });
  });

  describe(`Viewers on the ${kind.name} backend`, () => {
    const fixture = useBackend(kind);

    it('are never elsewhere when they belong to one client', async () => {
      const process = await fixture.start({ argv: ['cat'], tty: true });
      for (const state of ['shown', 'focused', 'none'] as const) {
        await process.view(state);
        assert.equal(process.info().viewedElsewhere ?? false, false);
      }
    });
  });
}
