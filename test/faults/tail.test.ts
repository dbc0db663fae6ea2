import assert from 'node:assert/strict';
import { kill } from 'node:process';

import { LocalBackend } from '../../src/local/index.js';
import { utf8 } from '../support/bytes.js';
import { collectEvents, untilInfo } from '../support/collect.js';
import { params, sh } from '../support/startParams.js';
import { until } from '../support/until.js';

const MIB = 1024 * 1024;
/** The numbers of runs, and the tags of their tests. */
const RUNS = [
  [20, ''],
  [100, ' @all'],
  [1_000, ' @long'],
] as const;
const AT_ONCE = 4;
/** Longer than node-pty waits for the rest of the output after an exit. */
const PAUSE_MS = 500;

/**
 * Terminals lose bytes of output that is written right before the exit. libuv up to 1.51 took a hang-up for the end.
 * The public API of node-pty drops everything 200 ms after the exit.
 */
describe(`The end of the output, on Node ${process.versions.node} with libuv ${process.versions.uv}`, () => {
  let backend: LocalBackend;

  beforeEach(() => {
    backend = new LocalBackend();
  });

  afterEach(() => backend.shutdown({ graceMs: { interrupt: 0, hangup: 0, terminate: 0 } }));

  for (const tty of [true, false]) {
    const where = tty ? 'terminal' : 'pipes';
    for (const [runs, tag] of RUNS) {
      it(`is there in ${runs} of ${runs} runs that print 20,480 bytes and exit, ${where}${tag}`, async () => {
        let short = 0;
        const runOne = async (run: number) => {
          const argv = ['head', '-c', '20480', '/dev/zero'];
          const process = await backend.start(params({ argv, tty, processId: `run ${run}` }));
          await untilInfo(process, ({ state }) => state === 'closed');
          short += process.info().output.bytes === 20_480 ? 0 : 1;
          process.release();
        };
        for (let run = 0; run < runs; run += AT_ONCE) {
          await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => runOne(run + index)));
        }
        assert.equal(short, 0);
      });
    }

    it(`is there after 64 MiB, although the reader stalls meanwhile, ${where} @all`, async () => {
      const total = 64 * MIB;
      const process = await backend.start(
        params({ argv: sh(`head -c ${total} /dev/zero; printf END`), tty, processId: 'flood' }),
      );
      let delivered = 0;
      let missing = 0;
      let tail = '';
      let stall: 'to come' | 'now' | 'over' = 'to come';
      await new Promise<void>((resolve) => {
        const subscription = process.subscribe({ windowBytes: 256 * 1024 }, (event) => {
          if (event.type === 'output') {
            delivered += event.bytes.byteLength;
            tail = (tail + Buffer.from(event.bytes.slice(-3)).toString()).slice(-3);
            if (stall === 'to come' && delivered > 8 * MIB) {
              stall = 'now';
              void until(() => subscription.state, 'slow').then(() => {
                stall = 'over';
                subscription.acknowledge(Infinity);
              });
            } else if (stall !== 'now') {
              // Acknowledged after the event, as a real reader would do.
              setImmediate(() => subscription.acknowledge(stall === 'now' ? 0 : event.seq));
            }
          } else if (event.type === 'gap') {
            missing += event.bytes ?? Number.NaN;
          } else if (event.type === 'closed') {
            resolve();
          }
        });
      });
      assert.equal(stall, 'over');
      assert.equal(delivered + missing, total + 3);
      assert.equal(process.info().output.bytes, total + 3);
      assert.equal(tail, 'END');
    });

    it(`is told before a shutdown is over, although others hold the output, ${where}`, async () => {
      const argv = sh('setsid sh -c \'echo "$$"; exec sleep 1000\' & exec sleep 1000');
      const process = await backend.start(params({ argv, tty, processId: 'held' }));
      const collected = collectEvents(process);
      await untilInfo(process, ({ output }) => output.chunks > 0);
      await backend.shutdown({ graceMs: { interrupt: 0, hangup: 0, terminate: 0 } });
      assert.equal(process.info().state, 'closed');
      const { stdout, exit } = await collected;
      assert.equal(exit?.signal, 'SIGKILL');
      kill(Number(stdout), 'SIGKILL');
    });

    it(`is there after a pause that began before the exit, ${where}`, async () => {
      const process = await backend.start(
        params({ argv: sh('printf %2000s x; read line; printf %3000s y; exit 5'), tty, pipeStdin: true }),
      );
      // A window of one byte is full with the first chunk. It is acknowledged long after node-pty would have dropped
      // the rest.
      let bytes = 0;
      let reads = false;
      let closed = false;
      const subscription = process.subscribe({ windowBytes: 1, stallMs: Infinity }, (event) => {
        closed ||= event.type === 'closed';
        if (event.type === 'output') {
          bytes += event.bytes.byteLength;
          if (reads) setImmediate(() => subscription.acknowledge(event.seq));
        }
      });
      await until(() => subscription.state, 'slow');
      await process.write(utf8('\n'));
      await untilInfo(process, ({ state }) => state !== 'running');
      const over = Date.now() + PAUSE_MS;
      await until(() => Date.now() > over);
      reads = true;
      subscription.acknowledge(Infinity);
      await until(() => closed);
      // A terminal shows the line as well.
      assert.equal(bytes, tty ? 5_002 : 5_000);
    });
  }
});
