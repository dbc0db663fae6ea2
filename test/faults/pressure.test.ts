import assert from 'node:assert/strict';

import { STALL_MS } from '../../src/core/index.js';
import { LocalBackend } from '../../src/local/index.js';
import { utf8 } from '../support/bytes.js';
import { params, sh } from '../support/startParams.js';
import { untilInfo } from '../support/collect.js';
import { FakeClock } from '../support/fakeClock.js';
import { until } from '../support/until.js';

const MIB = 1024 * 1024;
const WINDOW = 64 * 1024;
/** How long a reader that does not read holds its process, where that is waited for. */
const PATIENCE_MS = 2_000;

describe('Back-pressure on a real child', () => {
  let backend: LocalBackend;

  beforeEach(() => {
    backend = new LocalBackend();
  });

  afterEach(() => backend.shutdown({ graceMs: { interrupt: 0, hangup: 0, terminate: 0 } }));

  for (const tty of [true, false]) {
    describe(tty ? 'with a terminal' : 'on pipes', () => {
      it('a full reader holds the child, and a stalled one lets it go', async () => {
        const process = await backend.start(params({ argv: sh(`head -c ${8 * MIB} /dev/zero`), tty }));
        const subscription = process.subscribe(
          { windowBytes: WINDOW, stallMs: PATIENCE_MS },
          () => undefined,
        );
        await until(() => subscription.state, 'slow');
        // Only as much as our buffers and the kernel's hold.
        const taken = process.info().output.bytes;
        assert.ok(taken < 2 * MIB, `${taken} bytes`);
        assert.equal(process.info().state, 'running');
        await untilInfo(process, ({ state }) => state === 'closed');
        assert.equal(subscription.state, 'stalled');
        assert.equal(process.info().output.bytes, 8 * MIB);
        assert.ok(process.info().output.retainedBytes <= MIB);
      });

      it('lets a child without a reader run on, in bounded memory @all', async () => {
        const process = await backend.start(params({ argv: sh(`head -c ${64 * MIB} /dev/zero`), tty }));
        await untilInfo(process, ({ state }) => state === 'closed');
        const { bytes, retainedBytes, evicted } = process.info().output;
        assert.equal(bytes, 64 * MIB);
        assert.ok(retainedBytes <= MIB);
        assert.equal(evicted.bytes + retainedBytes, bytes);
      });

      it('a descendant that floods after the exit is held as well', async () => {
        // The reader stalls only when the test says so.
        const clock = new FakeClock();
        const timeless = new LocalBackend({ clock });
        const flood = `head -c ${8 * MIB} /dev/zero`;
        const script = `trap '' HUP; ${tty ? 'stty -echo; ' : ''}(${flood}) & read line; exit 0`;
        const start = { argv: sh(script), tty, pipeStdin: true, processId: 'held' };
        const process = await timeless.start(params(start));
        const subscription = process.subscribe({ windowBytes: WINDOW }, () => undefined);
        // It exits only when its output is held already: an exit must not let it flow again, as it does with Node's own
        // pipes.
        await until(() => subscription.state, 'slow');
        await process.write(utf8('\n'));
        await untilInfo(process, ({ state }) => state === 'exited');
        // If it flowed again, it would have been read by the time that as much of another one has been.
        const other = await timeless.start(params({ argv: sh(flood), tty, processId: 'other' }));
        await untilInfo(other, ({ state }) => state === 'closed');
        assert.equal(process.info().state, 'exited');
        assert.ok(process.info().output.bytes < 4 * MIB, `${process.info().output.bytes} bytes`);
        clock.advance(STALL_MS);
        await untilInfo(process, ({ state }) => state === 'closed');
        assert.equal(process.info().output.bytes, 8 * MIB);
        await timeless.shutdown({ graceMs: { interrupt: 0, hangup: 0, terminate: 0 } });
      });
    });
  }
});
