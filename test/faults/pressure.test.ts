import assert from 'node:assert/strict';

import { LocalBackend } from '../../src/local/index.js';
import { params, sh } from '../support/startParams.js';
import { untilInfo } from '../support/collect.js';
import { until } from '../support/processes.js';

const MIB = 1024 * 1024;
const WINDOW = 64 * 1024;

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
        const subscription = process.subscribe({ windowBytes: WINDOW }, () => undefined);
        await until(() => subscription.state === 'slow');
        // Only as much as our buffers and the kernel's hold.
        const taken = process.info().output.bytes;
        assert.ok(taken < 2 * MIB, `${taken} bytes`);
        assert.equal(process.info().state, 'running');
        await untilInfo(process, ({ state }) => state === 'closed');
        assert.equal(subscription.state, 'stalled');
        assert.equal(process.info().output.bytes, 8 * MIB);
        assert.ok(process.info().output.retainedBytes <= MIB);
      });

      it('nobody there: the child runs on, and memory is bounded', async () => {
        const process = await backend.start(params({ argv: sh(`head -c ${64 * MIB} /dev/zero`), tty }));
        await untilInfo(process, ({ state }) => state === 'closed');
        const { bytes, retainedBytes, evicted } = process.info().output;
        assert.equal(bytes, 64 * MIB);
        assert.ok(retainedBytes <= MIB);
        assert.equal(evicted.bytes + retainedBytes, bytes);
      });

      it('a descendant that floods after the exit is held as well', async () => {
        const script = `trap '' HUP; (head -c ${8 * MIB} /dev/zero) & exit 0`;
        const process = await backend.start(params({ argv: sh(script), tty }));
        const subscription = process.subscribe({ windowBytes: WINDOW }, () => undefined);
        await untilInfo(process, ({ state }) => state === 'exited');
        await until(() => subscription.state === 'slow');
        assert.equal(process.info().state, 'exited');
        // The output is held until the reader stalls; if Node let it flow again at the exit, it would all be read long
        // before that.
        let taken = 0;
        await until(() => {
          if (subscription.state === 'slow') {
            taken = process.info().output.bytes;
          }
          return subscription.state === 'stalled';
        });
        assert.ok(taken < 4 * MIB, `${taken} bytes`);
        await untilInfo(process, ({ state }) => state === 'closed');
        assert.equal(process.info().output.bytes, 8 * MIB);
      });
    });
  }
});
