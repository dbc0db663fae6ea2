import assert from 'node:assert/strict';

import { assertRejects } from '../support/assertRejects.js';
import { utf8 } from '../support/bytes.js';
import { collectEvents, collectReads, untilEvent, untilOutput } from '../support/collect.js';
import { sh } from '../support/startParams.js';
import type { Deviation } from './deviations.js';

const process = (test: string) => `A process of the * backend > ${test}`;
const ends = (test: string) => `Exit and close on the * backend > ${test}`;

const NO_CLOSE = 'the exec-server does not support closeStdin';
const NO_RESIZE = 'the exec-server does not support resize';
const NO_SIGNAL = 'the exec-server does not support signal';

export const codexProcessDeviations: readonly Deviation[] = [
  {
    test: process('gets a line on a terminal whole, or not at all'),
    reason: 'it does not look at the terminal, which cuts the line',
    instead: async ({ start }) => {
      const script = 'stty -echo; echo ready; IFS= read -r x; echo "got ${#x}"';
      const reader = await start({ argv: sh(script), tty: true });
      await untilOutput(reader, 'ready');
      assert.equal(await reader.write(utf8(`${'a'.repeat(6_000)}\n`)), 'accepted');
      await untilOutput(reader, 'got 4095');
    },
  },
  {
    test: process('writing > keeps the order of many writes, however large'),
    reason: 'the input cannot be closed, so the program has to know how much comes',
    instead: async ({ start }) => {
      const pieces = Array.from({ length: 200 }, (_, index) => `${index}:${'x'.repeat(index * 50)}\n`);
      const whole = pieces.join('');
      const cat = await start({ argv: ['head', '-c', String(whole.length)], pipeStdin: true });
      const collected = collectEvents(cat);
      await Promise.all(pieces.map((piece) => cat.write(utf8(piece))));
      assert.equal((await collected).stdout, whole);
    },
  },
  {
    test: process('writing > that was accepted does not fail because the input was closed after it'),
    reason: 'the input cannot be closed',
    instead: async ({ start }) => {
      const count = 4 * 1024 * 1024;
      const script = `sleep 0.2; head -c ${count} | wc -c`;
      const wc = await start({ argv: sh(script), pipeStdin: true });
      const written = wc.write(new Uint8Array(count));
      await assertRejects(wc.closeStdin(), -32600, NO_CLOSE);
      assert.equal(await written, 'accepted');
      assert.equal((await collectReads(wc)).output.trim(), String(count));
    },
  },
  {
    test: process('writing > waits while a process does not read, and fails when it ends'),
    reason: 'it takes 128 writes, whatever their size, and forgets those that the process has not read',
    instead: async ({ start }) => {
      const sleep = await start({ argv: ['sleep', '100'], pipeStdin: true });
      const writes = Array.from({ length: 40 }, () => sleep.write(new Uint8Array(100_000)));
      assert.deepEqual(
        await Promise.all(writes),
        writes.map(() => 'accepted'),
      );
      await sleep.terminate();
      await untilEvent(sleep, 'closed');
      await assertRejects(sleep.write(utf8('x')), -32603, 'failed to write to process stdin');
    },
  },
  {
    test: process('writing > of a large paste reaches a terminal whole'),
    reason: 'the input of the program to compare with cannot be closed',
    instead: async ({ start }) => {
      const script = 'head -c 200000 | cksum';
      const terminal = await start({ argv: sh(`stty raw -echo; echo ready; ${script}`), tty: true });
      await untilOutput(terminal, 'ready');
      const bytes = Uint8Array.from({ length: 200_000 }, (_, index) => 32 + (index % 90));
      await terminal.write(bytes);
      const { stdout } = await collectEvents(terminal);
      const pipe = await start({ argv: sh(script), processId: 'pipe', pipeStdin: true });
      await pipe.write(bytes);
      assert.ok(stdout.includes((await collectReads(pipe)).output.trim()), stdout);
    },
  },
  {
    test: process('closing the input > ends a pipe, after what was written before'),
    reason: 'the wire has nothing to close it with',
    instead: async ({ backend, start }) => {
      assert.equal(backend.capabilities.closeStdin, false);
      const cat = await start({ argv: ['cat'], pipeStdin: true });
      const error = await assertRejects(cat.closeStdin(), -32600, NO_CLOSE);
      assert.match(error.message, /cannot close the standard input/);
      await cat.write(utf8('it goes on'));
      await untilOutput(cat, 'it goes on');
    },
  },
  {
    test: process('the size of a terminal > can be given at the start'),
    reason: 'every terminal is 80 by 24',
    instead: async ({ backend, start }) => {
      assert.equal(backend.capabilities.initialSize, false);
      const stty = await start({ argv: ['stty', 'size'], tty: true, size: { columns: 132, rows: 50 } });
      assert.equal((await collectReads(stty)).output, '24 80\r\n');
      // We report the real size.
      assert.deepEqual(stty.info().size, { columns: 80, rows: 24 });
    },
  },
  ...['can be changed, and the program is told', 'can be set after the end, to no effect'].map((test) => ({
    test: process(`the size of a terminal > ${test}`),
    reason: 'the wire has nothing to change it with',
    instead: async ({ backend, start }: Parameters<Deviation['instead']>[0]) => {
      assert.equal(backend.capabilities.resize, false);
      const sleep = await start({ argv: ['sleep', '100'], tty: true });
      const error = await assertRejects(sleep.resize({ columns: 100, rows: 30 }), -32600, NO_RESIZE);
      assert.match(error.message, /cannot change the size/);
      assert.deepEqual(sleep.info().size, { columns: 80, rows: 24 });
    },
  })),
  {
    test: process('terminating > kills what runs, once'),
    reason: 'it does not name the signal: 137 could be what the program returned, so we do not guess',
    instead: async ({ start }) => {
      const sleep = await start({ argv: ['sleep', '100'] });
      assert.deepEqual(await sleep.terminate(), { running: true });
      assert.deepEqual((await collectEvents(sleep)).exit, { exitCode: 137 });
      assert.deepEqual(await sleep.terminate(), { running: false });
    },
  },
  ...[false, true].map((tty) => ({
    test: process(`signalling > reports the signal that ended it ${tty ? 'on a terminal' : 'on pipes'}`),
    reason: 'there are only interrupt and kill, unnamed, and on a terminal the exit code is 1',
    instead: async ({ backend, start }: Parameters<Deviation['instead']>[0]) => {
      assert.deepEqual(backend.capabilities.signals, ['SIGINT', 'SIGKILL']);
      for (const [signal, exitCode] of [
        ['SIGINT', tty ? 1 : 130],
        ['SIGKILL', tty ? 1 : 137],
      ] as const) {
        const script = 'echo ready; exec sleep 100';
        const sleep = await start({ argv: sh(script), processId: signal, tty });
        await untilOutput(sleep, 'ready');
        await assertRejects(sleep.signal('SIGTERM'), -32600, NO_SIGNAL);
        await sleep.signal(signal);
        assert.deepEqual((await collectEvents(sleep)).exit, { exitCode });
      }
    },
  })),
  {
    test: process('signalling > reaches a handler'),
    reason: 'there is no signal but the interrupt, which does',
    instead: async ({ start }) => {
      const script = `trap 'echo caught; exit 3' INT; echo ready; while :; do sleep 0.02; done`;
      const trap = await start({ argv: sh(script) });
      await untilOutput(trap, 'ready');
      await assertRejects(trap.signal('SIGUSR1'), -32600, NO_SIGNAL);
      await trap.signal('SIGINT');
      const { stdout, exit } = await collectEvents(trap);
      assert.deepEqual([stdout, exit], ['ready\ncaught\n', { exitCode: 3 }]);
    },
  },
  ...(
    [
      ['of pipes', 162],
      ['of a terminal', 1],
    ] as const
  ).map(([kind, exitCode]) => ({
    test: ends(`${kind} > tell of signal 34 on a terminal, and of a success on pipes, as Node does`),
    reason: 'it has other words for a signal',
    instead: async ({ start }: Parameters<Deviation['instead']>[0]) => {
      const argv = ['bash', '-c', 'kill -34 $$'] as const;
      const { exit } = await collectEvents(await start({ argv, tty: kind === 'of a terminal' }));
      assert.deepEqual(exit, { exitCode });
    },
  })),
  ...['of pipes', 'of a terminal'].map((kind) => ({
    test: ends(`${kind} > come after the output that was there at the exit`),
    reason: 'it numbers the exit when it sees it, which may be before it has read the last output',
    instead: async ({ start }: Parameters<Deviation['instead']>[0]) => {
      for (let run = 0; run < 50; run++) {
        const echo = await start({
          argv: sh('echo out; exit 1'),
          tty: kind === 'of a terminal',
          processId: `p${run}`,
        });
        const types = (await collectEvents(echo)).events.map(({ type }) => type);
        assert.equal(types.at(-1), 'closed');
        assert.deepEqual([...new Set(types)].sort(), ['closed', 'exited', 'output']);
      }
    },
  })),
  {
    test: ends('a program may close its terminal and open it again'),
    reason: 'it stops to read when nobody has the terminal open for a moment',
    instead: async ({ start }) => {
      const script = 'exec 0<&- 1>&- 2>&-; sleep 0.2; echo back >/dev/tty; exit 4';
      const { stdout, exit } = await collectEvents(await start({ argv: sh(script), tty: true }));
      assert.deepEqual([stdout, exit], ['', { exitCode: 4 }]);
    },
  },
];
