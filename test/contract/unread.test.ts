import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import type { ExecEvent, ExecProcess } from '../../src/core/index.js';
import { LocalBackend } from '../../src/local/index.js';
import { removeFolder } from '../rig/lifetime.js';
import { isRunning } from '../support/processes.js';
import { until } from '../support/until.js';

const LINES = 60_000;
/** Enough reads that a busy program is left alone between them. */
const FLOOD = `i=0; while [ $i -lt ${LINES / 1_000} ]; do printf '%0100d\\n%.0s' $(seq 1 20); i=$((i + 1)); done`;

describe('A program that nobody reads', () => {
  let backend: LocalBackend;
  let folder: string;

  beforeEach(() => {
    backend = new LocalBackend({ pacesUnread: true });
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-unread-'));
  });

  afterEach(async () => {
    await backend.shutdown();
    removeFolder(folder);
  });

  const start = (script: string, tty: boolean): Promise<ExecProcess> =>
    backend.start({
      processId: 'unread',
      argv: ['/bin/bash', '-c', script],
      cwd: folder,
      tty,
      env: { PATH: process.env['PATH'] ?? '' },
    });
  const flag = () => path.join(folder, 'flag');

  for (const tty of [false, true]) {
    const where = tty ? 'a terminal' : 'pipes';

    it(`loses nothing on ${where}, and ends after its last output`, async () => {
      const unread = await start(`seq 1 ${LINES}; seq 1 ${LINES} >&2; echo the end; exit 3`, tty);
      const pid = unread.info().pid ?? 0;
      // The test does not look at the process earlier: a look would read its output.
      await until(() => !fs.existsSync(`/proc/${pid}`));
      await until(async () => !(await isRunning(pid)));
      await until(() => unread.info().state, 'closed');
      const { output, exit } = unread.info();
      const lines = 2 * LINES + 1;
      const digits =
        2 * Array.from({ length: LINES }, (_, at) => String(at + 1).length).reduce((a, b) => a + b);
      assert.equal(output.bytes, digits + 'the end'.length + lines * (tty ? 2 : 1));
      assert.equal(exit?.exitCode, 3);
      const { chunks, exitSeq } = await unread.read({ afterSeq: output.evicted.throughSeq });
      assert.ok(chunks.every(({ seq }) => seq < (exitSeq ?? 0)));
      assert.ok(chunks.length > 2);
    });
  }

  it('is read at once when a caller asks', async () => {
    const unread = await start(`seq 1 ${LINES}; echo the end; touch flag; exec sleep 1000`, false);
    await until(() => fs.existsSync(flag()));
    const { chunks } = await unread.read({});
    assert.match(Buffer.from(chunks.at(-1)?.bytes ?? []).toString(), /(?:^|\n)the end\n$/);
  });

  for (const tty of [false, true]) {
    it(`is read by a caller that looks before the event loop does, on ${tty ? 'a terminal' : 'pipes'}`, async () => {
      const unread = await start('echo the end; touch flag; exec sleep 1000', tty);
      const sleeper = new Int32Array(new SharedArrayBuffer(4));
      while (!fs.existsSync(flag())) Atomics.wait(sleeper, 0, 0, 1);
      const { chunks } = await unread.read({});
      assert.equal(
        Buffer.concat(chunks.map(({ bytes }) => bytes))
          .toString()
          .trim(),
        'the end',
      );
    });
  }

  it('has its earlier output told before an input', async () => {
    const script = `seq 1 ${LINES}; echo before; touch flag; read line; echo "after $line"; exec sleep 1000`;
    const unread = await backend.start({
      processId: 'asked',
      argv: ['/bin/bash', '-c', script],
      cwd: folder,
      tty: false,
      pipeStdin: true,
      env: { PATH: process.env['PATH'] ?? '' },
    });
    await until(() => fs.existsSync(flag()));
    const { lastSeq } = unread.info().output;
    await unread.write(Buffer.from('it\n'));
    const { chunks } = await unread.read({ afterSeq: lastSeq, waitMs: 30_000 });
    assert.equal(Buffer.concat(chunks.map(({ bytes }) => bytes)).toString(), 'after it\n');
  });

  it('goes on after its reader stops reading, and loses nothing for the next reader', async () => {
    const unread = await start(`${FLOOD}; echo the end`, false);
    const slow = unread.subscribe({ windowBytes: 1, stallMs: Number.POSITIVE_INFINITY }, () => undefined);
    await until(() => unread.info().output.chunks > 0);
    slow.dispose();
    const events: ExecEvent[] = [];
    const closed = new Promise<void>((resolve) => {
      unread.subscribe({}, (event) => {
        events.push(event);
        if (event.type === 'closed') resolve();
      });
    });
    await closed;
    assert.deepEqual(
      events.slice(-2).map(({ type }) => type),
      ['exited', 'closed'],
    );
    const numbers = events.flatMap((event) => ('seq' in event ? [event.seq] : []));
    assert.deepEqual(
      numbers,
      [...numbers].sort((a, b) => a - b),
    );
    const last = events.at(-3);
    assert.match(last?.type === 'output' ? Buffer.from(last.bytes).toString() : '', /the end\n$/);
  });

  it('leaves its last words when it is killed', async () => {
    const unread = await start(`seq 1 ${LINES}; echo the end; touch flag; exec sleep 1000`, false);
    await until(() => fs.existsSync(flag()));
    await unread.terminate();
    const { chunks } = await unread.read({});
    assert.match(Buffer.from(chunks.at(-1)?.bytes ?? []).toString(), /(?:^|\n)the end\n$/);
  });

  it('leaves its last words when the backend ends', async () => {
    const unread = await start(`seq 1 ${LINES}; echo the end; touch flag; exec sleep 1000`, false);
    await until(() => fs.existsSync(flag()));
    await backend.shutdown();
    const { chunks } = await unread.read({});
    assert.match(Buffer.from(chunks.at(-1)?.bytes ?? []).toString(), /(?:^|\n)the end\n$/);
  });
});
