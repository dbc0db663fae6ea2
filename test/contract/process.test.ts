import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { removeFolder } from '../rig/lifetime.js';
import { assertRejects } from '../support/assertRejects.js';
import { textOf, utf8 } from '../support/bytes.js';
import { collectEvents, collectReads, untilEvent, untilOutput } from '../support/collect.js';
import { INTERACTIVE_BASH, sh } from '../support/startParams.js';
import { contractKinds, endedBy, testsOf, useBackend } from './backends.js';

/** Reads one line and repeats it. */
const REPEAT_LINE = `IFS= read line; printf 'from-stdin:%s\\n' "$line"`;

for (const kind of contractKinds) {
  const it = testsOf(kind);
  describe(`A process of the ${kind.name} backend`, () => {
    const fixture = useBackend(kind);
    const { start } = fixture;

    it('has the id that the caller chose', async () => {
      const process = await start({ argv: ['true'], processId: 'proc-1' });
      assert.equal(process.processId, 'proc-1');
    });

    it('starts, exits and closes', async () => {
      const process = await start({ argv: ['true'] });
      assert.deepEqual(await collectReads(process), { output: '', exitCode: 0, closed: true });
    });

    it('streams output', async () => {
      const process = await start({ argv: sh(`read x; printf 'session output\\n'`), pipeStdin: true });
      const reads = collectReads(process);
      await process.write(utf8('\n'));
      assert.deepEqual(await reads, {
        output: 'session output\n',
        exitCode: 0,
        closed: true,
      });
    });

    it('pushes events in order, with one counter for output, exit and close', async () => {
      const script = `printf 'event output\\n'; read x; printf 'event err\\n' >&2; read x; exit 7`;
      const process = await start({ argv: sh(script), pipeStdin: true });
      const collected = collectEvents(process);
      for (const output of ['event output', 'event err']) {
        await untilOutput(process, output);
        await process.write(utf8('\n'));
      }
      const { events } = await collected;
      assert.deepEqual(
        events.map((event) =>
          event.type === 'output' ? { ...event, bytes: Buffer.from(event.bytes).toString() } : event,
        ),
        [
          { type: 'output', seq: 1, stream: 'stdout', bytes: 'event output\n' },
          { type: 'output', seq: 2, stream: 'stderr', bytes: 'event err\n' },
          { type: 'exited', seq: 3, status: { exitCode: 7 } },
          { type: 'closed', seq: 4 },
        ],
      );
    });

    it('replays everything to a subscriber that comes after the close', async () => {
      const process = await start({ argv: sh(`printf 'late one\\n'; printf 'late two\\n'`) });
      assert.equal((await collectReads(process)).output, 'late one\nlate two\n');
      const { stdout, stderr, exit } = await collectEvents(process);
      assert.deepEqual([stdout, stderr, exit], ['late one\nlate two\n', '', { exitCode: 0 }]);
    });

    it('takes input on a terminal', async () => {
      const process = await start({ argv: sh(`echo ready; ${REPEAT_LINE}`), tty: true });
      await untilOutput(process, 'ready');
      assert.equal(await process.write(utf8('hello\n')), 'accepted');
      const { output, exitCode } = await collectReads(process);
      assert.match(output, /from-stdin:hello/);
      assert.equal(exitCode, 0);
    });

    it('takes input on a pipe', async () => {
      const process = await start({ argv: sh(REPEAT_LINE), pipeStdin: true });
      assert.equal(await process.write(utf8('hello\n')), 'accepted');
      assert.deepEqual(await collectReads(process), {
        output: 'from-stdin:hello\n',
        exitCode: 0,
        closed: true,
      });
    });

    it('has no input without a pipe or a terminal: a write is answered, the child reads the end', async () => {
      const process = await start({
        argv: sh('if IFS= read -r line; then echo "read:$line"; else echo eof; fi'),
      });
      assert.equal(await process.write(utf8('ignored\n')), 'stdinClosed');
      assert.deepEqual(await collectReads(process), { output: 'eof\n', exitCode: 0, closed: true });
    });

    it('keeps output from before the first subscription', async () => {
      const process = await start({ argv: sh(`printf 'queued output\\n'`) });
      await untilEvent(process, 'closed');
      assert.equal((await collectReads(process)).output, 'queued output\n');
    });

    it('tells stdout, stderr and terminal output apart', async () => {
      const script = 'echo out; echo err >&2';
      const pipes = await collectEvents(await start({ argv: sh(script), processId: 'pipes' }));
      assert.deepEqual([pipes.stdout, pipes.stderr], ['out\n', 'err\n']);
      const terminal = await collectEvents(await start({ argv: sh(script), processId: 'tty', tty: true }));
      assert.deepEqual([terminal.stdout, terminal.stderr], ['out\r\nerr\r\n', '']);
    });

    it('lets programs open their streams by name, on pipes', async () => {
      const script = [
        'echo one > /dev/stdout',
        'echo two > /dev/stderr',
        'echo three | tee /dev/stderr',
        'curl --silent --output /dev/stdout "file://$0"',
        'cat < /dev/stdin',
      ].join(' && ');
      const file = path.resolve('LICENSE');
      const process = await start({ argv: [...sh(script), file], pipeStdin: true });
      const collected = collectEvents(process);
      const read = untilOutput(process, 'five');
      await process.write(utf8('five\n'));
      await read;
      await process.terminate();
      const { stdout, stderr } = await collected;
      assert.equal(stdout, `one\nthree\n${readFileSync(file, 'utf8')}five\n`);
      assert.equal(stderr, 'two\nthree\n');
    });

    it('gives 64 KiB of stderr again and again although nothing reads stdout', async () => {
      const script = 'i=0; while [ $i -lt 64 ]; do head -c 65536 /dev/zero >&2; i=$((i+1)); done';
      const process = await start({ argv: sh(script) });
      await untilEvent(process, 'closed');
      assert.equal(process.info().output.bytes, 64 * 65_536);
    });

    describe('reading', () => {
      it('waits for output', async () => {
        // The process keeps running: if the exit is known before the last output has been read, that would be an answer
        // as well.
        const process = await start({ argv: sh('read x; echo done; exec sleep 100'), pipeStdin: true });
        const answer = process.read({ waitMs: 60_000 });
        await process.write(utf8('\n'));
        assert.equal(textOf((await answer).chunks), 'done\n');
      });

      it('is by id as well; an unknown one is an error', async () => {
        const process = await start({ argv: sh('echo hi'), processId: 'p' });
        await untilEvent(process, 'closed');
        assert.equal(textOf((await fixture.backend.read('p')).chunks), 'hi\n');
        await assertRejects(fixture.backend.read('nobody'), -32600, 'unknown process id nobody');
      });
    });

    describe('writing', () => {
      it('to an unknown process is answered', async () => {
        assert.equal(await fixture.backend.write('nobody', utf8('x')), 'unknownProcess');
      });

      it('to a piped process that has gone is an error', async () => {
        const process = await start({ argv: ['true'], pipeStdin: true });
        await untilEvent(process, 'closed');
        await assertRejects(process.write(utf8('x')), -32603, 'failed to write to process stdin');
      });

      it('keeps the order of many writes, however large', async () => {
        const process = await start({ argv: ['cat'], pipeStdin: true });
        const pieces = Array.from({ length: 200 }, (_, index) => `${index}:${'x'.repeat(index * 50)}\n`);
        const collected = collectEvents(process);
        await Promise.all(pieces.map((piece) => process.write(utf8(piece))));
        await process.closeStdin();
        assert.equal((await collected).stdout, pieces.join(''));
      });

      it('that was accepted does not fail because the input was closed after it', async () => {
        const folder = mkdtempSync(path.join(os.tmpdir(), 'es-process-'));
        const file = path.join(folder, 'go');
        const script = `until [ -e ${file} ]; do sleep 0.01; done; exec wc -c`;
        const process = await start({ argv: sh(script), pipeStdin: true });
        const written = process.write(new Uint8Array(4 * 1024 * 1024));
        const closed = process.closeStdin();
        // The close has arrived when a later request has been answered.
        await start({ argv: ['true'], processId: 'other' });
        writeFileSync(file, '');
        await closed;
        assert.equal(await written, 'accepted');
        assert.equal((await collectReads(process)).output.trim(), '4194304');
        removeFolder(folder);
      });

      it('waits while a process does not read, and fails when it ends', async () => {
        const process = await start({ argv: ['sleep', '100'], pipeStdin: true });
        const results: string[] = [];
        const writes = Array.from({ length: 40 }, () =>
          process.write(new Uint8Array(100_000)).then(
            () => results.push('accepted'),
            () => results.push('failed'),
          ),
        );
        await Promise.race(writes);
        assert.ok(!results.includes('failed'));
        await process.terminate();
        await Promise.all(writes);
        assert.ok(results.includes('failed'));
      });

      it('into a terminal that does not read blocks nothing else', async () => {
        const busy = await start({ argv: sh('stty raw -echo; echo ready; sleep 100'), tty: true });
        await untilOutput(busy, 'ready');
        void busy.write(new Uint8Array(300_000).fill(65));
        const other = await start({ argv: sh('echo hi'), processId: 'other' });
        assert.equal((await collectReads(other)).output, 'hi\n');
      });

      it('of a large paste reaches a terminal whole', async () => {
        const process = await start({
          argv: sh('stty raw -echo; echo ready; head -c 200000 | cksum'),
          tty: true,
        });
        await untilOutput(process, 'ready');
        const bytes = Uint8Array.from({ length: 200_000 }, (_, index) => 32 + (index % 90));
        await process.write(bytes);
        const { stdout } = await collectEvents(process);
        const reference = await start({ argv: ['cksum'], processId: 'cksum', pipeStdin: true });
        await reference.write(bytes);
        await reference.closeStdin();
        assert.ok(stdout.includes((await collectReads(reference)).output.trim()), stdout);
      });
    });

    describe('closing the input', () => {
      it('ends a pipe, after what was written before', async () => {
        const process = await start({ argv: ['cat'], pipeStdin: true });
        await process.write(utf8('last words'));
        await process.closeStdin();
        assert.equal(await process.write(utf8('too late')), 'stdinClosed');
        assert.equal((await collectReads(process)).output, 'last words');
      });

      it('types the end of file into a terminal', async () => {
        const process = await start({ argv: sh('echo ready; cat'), tty: true });
        await untilOutput(process, 'ready');
        await process.closeStdin();
        assert.equal((await collectReads(process)).exitCode, 0);
      });

      it('is an error for a process without input', async () => {
        const process = await start({ argv: ['sleep', '100'] });
        await assertRejects(process.closeStdin(), -32600, 'process has no stdin pipe');
      });
    });

    describe('the size of a terminal', () => {
      it('is 80 by 24', async () => {
        const process = await start({ argv: ['stty', 'size'], tty: true });
        assert.equal((await collectReads(process)).output, '24 80\r\n');
      });

      it('can be given at the start', async () => {
        const process = await start({ argv: ['stty', 'size'], tty: true, size: { columns: 132, rows: 50 } });
        assert.equal((await collectReads(process)).output, '50 132\r\n');
      });

      it('can be changed, and the program is told', async () => {
        const script = `trap 'stty size' WINCH; echo ready; while :; do sleep 0.02; done`;
        const process = await start({ argv: sh(script), tty: true });
        await untilOutput(process, 'ready');
        await process.resize({ columns: 100, rows: 30 });
        await untilOutput(process, '30 100');
        assert.deepEqual(process.info().size, { columns: 100, rows: 30 });
        // The size that it has already changes nothing, and the next one does.
        await process.resize({ columns: 100, rows: 30 });
        await process.resize({ columns: 90, rows: 20 });
        await untilOutput(process, '20 90');
      });

      it('is an error without a terminal, or if no terminal can have it', async () => {
        const pipes = await start({ argv: ['sleep', '100'], processId: 'pipes' });
        await assertRejects(
          pipes.resize({ columns: 80, rows: 24 }),
          -32600,
          'process is not attached to a PTY',
        );
        const tty = await start({ argv: ['sleep', '100'], processId: 'tty', tty: true });
        for (const columns of [0, -1, 1.5, Number.NaN, 70_000]) {
          await assertRejects(tty.resize({ columns, rows: 24 }), -32602, 'terminal size must be positive');
        }
      });

      it('can be set after the end, to no effect', async () => {
        const process = await start({ argv: ['true'], tty: true });
        await untilEvent(process, 'closed');
        await process.resize({ columns: 100, rows: 30 });
      });
    });

    describe('terminating', () => {
      it('kills what runs, once', async () => {
        const process = await start({ argv: ['sleep', '100'] });
        assert.deepEqual(await process.terminate(), { running: true });
        const { exit } = await collectEvents(process);
        assert.deepEqual(exit, { exitCode: 137, signal: 'SIGKILL' });
        assert.deepEqual(await process.terminate(), { running: false });
      });

      it('does nothing to a process that is unknown', async () => {
        assert.deepEqual(await fixture.backend.terminate('nobody'), { running: false });
      });
    });

    describe('signalling', () => {
      for (const tty of [false, true]) {
        it(`reports the signal that ended it ${tty ? 'on a terminal' : 'on pipes'}`, async () => {
          for (const [signal, exitCode] of [
            ['SIGTERM', 143],
            ['SIGINT', 130],
            ['SIGKILL', 137],
          ] as const) {
            const process = await start({ argv: ['sleep', '100'], processId: signal, tty });
            await process.signal(signal);
            assert.deepEqual((await collectEvents(process)).exit, endedBy(kind, signal, exitCode));
          }
        });
      }

      it('reaches a handler', async () => {
        const script = `trap 'echo caught; exit 3' USR1; echo ready; while :; do sleep 0.02; done`;
        const process = await start({ argv: sh(script) });
        await untilOutput(process, 'ready');
        await process.signal('SIGUSR1');
        const { stdout, exit } = await collectEvents(process);
        assert.deepEqual([stdout, exit], ['ready\ncaught\n', { exitCode: 3 }]);
      });

      it('interrupts what is in the foreground of a shell, not the shell', async () => {
        const process = await start({ ...INTERACTIVE_BASH, tty: true });
        await process.write(utf8(`sh -c 'echo read$((1))y; exec sleep 100'\n`));
        await untilOutput(process, 'read1y');
        await process.signal('SIGINT');
        await process.write(utf8('echo ali$((1))e\n'));
        await untilOutput(process, 'ali1e');
      });

      it('refuses a signal that does not exist', async () => {
        const process = await start({ argv: ['sleep', '100'] });
        await assertRejects(process.signal('SIGNONE'), -32602, 'unknown signal SIGNONE');
      });

      it('does nothing to a process that is unknown or over', async () => {
        await fixture.backend.signal('nobody', 'SIGTERM');
        const process = await start({ argv: ['true'] });
        await untilEvent(process, 'closed');
        await process.signal('SIGTERM');
      });
    });

    describe('the list', () => {
      it('lists all facts about a process', async () => {
        const before = Date.now();
        const metadata = { title: 'my job', nested: { a: [1, null] } };
        const process = await start({ argv: sh('echo hi; exit 3'), cwd: '/tmp', processId: 'p', metadata });
        await untilEvent(process, 'closed');
        const [info] = await fixture.backend.list();
        assert.ok(info);
        assert.deepEqual(
          { ...info, pid: 0, startedAt: 0, exitedAt: 0, closedAt: 0 },
          {
            processId: 'p',
            argv: sh('echo hi; exit 3'),
            cwd: '/tmp',
            tty: false,
            pipeStdin: false,
            state: 'closed',
            pid: 0,
            startedAt: 0,
            exitedAt: 0,
            closedAt: 0,
            exit: { exitCode: 3 },
            output: {
              bytes: 3,
              chunks: 1,
              retainedBytes: 3,
              evicted: { bytes: 0, chunks: 0, throughSeq: 0 },
              missing: { chunks: 0, bytes: 0 },
              lastSeq: 3,
            },
            metadata,
            ...(kind.sandbox && { sandbox: kind.sandbox }),
          },
        );
        assert.ok(info.startedAt >= before && (info.closedAt ?? 0) >= (info.exitedAt ?? 0));
      });

      it('changes as processes come and go', async () => {
        const changes: string[] = [];
        fixture.backend.onDidChange(({ type, processId }) => changes.push(`${type} ${processId}`));
        const process = await start({ argv: sh('exit 0'), processId: 'p' });
        await untilEvent(process, 'closed');
        assert.equal(changes[0], 'added p');
        assert.ok(changes.includes('changed p'));
      });

      it('lets somebody else take hold of a process', async () => {
        const first = await start({ argv: ['cat'], processId: 'p', pipeStdin: true });
        const second = await fixture.backend.attach('p');
        await first.write(utf8('from first\n'));
        await untilOutput(second, 'from first');
        await second.write(utf8('from second\n'));
        await untilOutput(first, 'from second');
        await assertRejects(fixture.backend.attach('nobody'), -32600, 'unknown process id nobody');
      });
    });
  });
}
