import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { LocalBackend } from '../../src/local/index.js';
import { removeFolder } from '../rig/lifetime.js';
import { untilEvent, collectEvents } from '../support/collect.js';
import { textOf } from '../support/bytes.js';
import { FakeClock } from '../support/fakeClock.js';
import { params, sh } from '../support/startParams.js';
import { until } from '../support/until.js';
import { contractKinds, endedBy, testsOf, useBackends } from './backends.js';

const untilThere = (file: string) => `until [ -e ${file} ]; do sleep 0.01; done`;
/** Exits at once, while a grandchild that survives the hang-up prints when a file is there. */
const late = (file: string) => `trap '' HUP; (${untilThere(file)}; echo late) & exit 7`;

for (const kind of contractKinds) {
  const it = testsOf(kind);
  describe(`Exit and close on the ${kind.name} backend`, () => {
    const create = useBackends(kind);
    let folder: string;
    const file = (name: string) => path.join(folder, name);
    const make = (name: string) => writeFileSync(file(name), '');

    beforeEach(() => (folder = mkdtempSync(path.join(os.tmpdir(), 'es-lifecycle-'))));
    afterEach(() => removeFolder(folder));

    for (const tty of [false, true]) {
      describe(tty ? 'of a terminal' : 'of pipes', () => {
        it('are two events: a descendant keeps it open, and its output counts', async () => {
          const backend = await create();
          const process = await backend.start(params({ argv: sh(late(file('go'))), tty }));
          const exited = await untilEvent(process, 'exited');
          assert.deepEqual(exited, { type: 'exited', seq: 1, status: { exitCode: 7 } });
          assert.equal(process.info().state, 'exited');
          make('go');
          const { events, stdout } = await collectEvents(process);
          assert.equal(stdout.trimEnd(), 'late');
          assert.deepEqual(
            events.map((event) => [event.type, 'seq' in event ? event.seq : undefined]),
            [
              ['exited', 1],
              ['output', 2],
              ['closed', 3],
            ],
          );
        });

        it('tell of signal 34 on a terminal, and of a success on pipes, as Node does', async () => {
          const backend = await create();
          const process = await backend.start(params({ argv: ['bash', '-c', 'kill -34 $$'], tty }));
          const { status } = await untilEvent(process, 'exited');
          assert.deepEqual(status, tty || kind.sandbox ? endedBy(kind, 'signal 34', 162) : { exitCode: 0 });
        });

        it('come after the output that was there at the exit', async () => {
          const backend = await create();
          for (let run = 0; run < 20; run++) {
            const process = await backend.start(
              params({ argv: sh('echo out; exit 1'), tty, processId: `p${run}` }),
            );
            const { events } = await collectEvents(process);
            // The output may arrive in two pieces.
            const types = events.map(({ type }) => type);
            assert.deepEqual([...new Set(types)], ['output', 'exited', 'closed']);
            assert.deepEqual(types.slice(-2), ['exited', 'closed']);
          }
        });
      });
    }

    it('a read after an exit that was seen waits for the late output', async () => {
      const backend = await create();
      const process = await backend.start(params({ argv: sh(late(file('go'))) }));
      await untilEvent(process, 'exited');
      const seen = await process.read();
      assert.deepEqual(
        [seen.chunks, seen.nextSeq, seen.exited, seen.exit, seen.closed],
        [[], 2, true, { exitCode: 7 }, false],
      );
      const reading = process.read({ afterSeq: 1, waitMs: 60_000 });
      make('go');
      const { chunks, exit, closed } = await reading;
      assert.equal(textOf(chunks), 'late\n');
      assert.deepEqual([exit, closed], [{ exitCode: 7 }, false]);
    });

    describe('A closed process', () => {
      it('is forgotten after its time, unless somebody holds it', async () => {
        const clock = new FakeClock(1_000);
        const backend = await create({ retentionMs: 25, clock });
        const held = await backend.start(params({ argv: ['true'], processId: 'held' }));
        const free = await backend.start(params({ argv: ['true'], processId: 'free' }));
        await Promise.all([untilEvent(held, 'closed'), untilEvent(free, 'closed')]);
        free.release();
        clock.advance(24);
        assert.equal((await backend.list()).length, 2);
        clock.advance(1);
        assert.deepEqual(
          (await backend.list()).map(({ processId }) => processId),
          ['held'],
        );
        await assert.rejects(backend.read('free'), /no process with the id "free"/);
        held.release();
        assert.deepEqual(await backend.list(), []);
        // Its id is free again.
        const next = await backend.start(params({ argv: ['true'], processId: 'held' }));
        await untilEvent(next, 'closed');
      });

      it('is held as long as anybody holds it', async () => {
        const clock = new FakeClock();
        const backend = await create({ retentionMs: 25, clock });
        const first = await backend.start(params({ argv: ['true'] }));
        const second = await backend.attach(first.processId);
        await untilEvent(first, 'closed');
        clock.advance(25);
        first.release();
        first.release();
        assert.equal((await backend.list()).length, 1);
        second.release();
        assert.equal((await backend.list()).length, 0);
      });

      it('is remembered while it has only exited: only the close starts the clock', async () => {
        const clock = new FakeClock();
        const backend = await create({ retentionMs: 25, clock });
        const process = await backend.start(params({ argv: sh('sleep 100 & exit 0') }));
        await untilEvent(process, 'exited');
        process.release();
        // Not so long that a connection would count as silent.
        clock.advance(100 * 25);
        assert.equal((await backend.list()).length, 1);
        const held = await backend.attach(process.processId);
        await held.stop();
        await untilEvent(held, 'closed');
        held.release();
        clock.advance(25);
        assert.deepEqual(await backend.list(), []);
      });
    });

    it('a program may close its terminal and open it again', async () => {
      const backend = await create();
      const script = `exec 0<&- 1>&- 2>&-; : >${file('closed')}; ${untilThere(file('go'))}; echo back >/dev/tty; exit 4`;
      const process = await backend.start(params({ argv: sh(script), tty: true }));
      const collected = collectEvents(process);
      await until(() => existsSync(file('closed')));
      // Its terminal has been looked at by the time that another process is over.
      const other = await backend.start(params({ argv: ['true'], tty: true, processId: 'other' }));
      await untilEvent(other, 'closed');
      make('go');
      const { stdout, exit } = await collected;
      assert.deepEqual([stdout, exit], ['back\r\n', { exitCode: 4 }]);
    });

    it('a shutdown ends everything and forgets it', async () => {
      const backend = await create();
      const processes = await Promise.all(
        [false, true].map((tty) =>
          backend.start(params({ argv: ['sleep', '100'], tty, processId: `tty ${tty}` })),
        ),
      );
      const ends = processes.map(collectEvents);
      await backend.shutdown();
      for (const { exit } of await Promise.all(ends)) {
        assert.ok(exit !== undefined && exit.exitCode > 128);
      }
      assert.deepEqual(await backend.list(), []);
    });
  });
}

describe('A closed process of the local backend', () => {
  it('is remembered for 30 s unless told otherwise', async () => {
    const clock = new FakeClock();
    const backend = new LocalBackend({ clock });
    const process = await backend.start(params({ argv: ['true'] }));
    await untilEvent(process, 'closed');
    process.release();
    clock.advance(29_999);
    assert.equal((await backend.list()).length, 1);
    clock.advance(1);
    assert.deepEqual(await backend.list(), []);
    await backend.shutdown();
  });
});
