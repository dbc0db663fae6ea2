import assert from 'node:assert/strict';

import { ExecError } from '../../../../src/core/index.js';
import { UnifiedExecError, type UnifiedExecFailure } from '../../../../src/agent/unifiedExec/index.js';
import { setUp, settle } from './setup.js';

async function rejects(result: Promise<unknown>, failure: UnifiedExecFailure, message: string) {
  const error: unknown = await result.then(
    () => assert.fail('It should have been refused.'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof UnifiedExecError, String(error));
  assert.equal(error.failure, failure);
  assert.equal(error.message, message);
  return error;
}

const WARNING = (requested: string) =>
  `Warning: requested timeout ${requested}ms exceeds maximum of 60000ms; clamping to 60000ms.\n`;

describe('the time of a unified exec request', () => {
  it('A2.15, A2.18 is 1,000 ms by default', async () => {
    const { begin, clock } = setUp();
    const pending = await begin({ inputChunks: ['cat'] });
    clock.advance(999);
    await settle();
    assert.equal(pending.answered, false);
    clock.advance(1);
    await settle();
    assert.equal(pending.answered, true);
    assert.deepEqual(await pending.result, { sessionId: 0, output: '' });
  });

  for (const requested of [60_001, 120_000, 2 ** 64]) {
    it(`A2.16 is cut to 60,000 ms with a warning, of ${requested}`, async () => {
      const { begin, clock, newest } = setUp();
      const pending = await begin({ inputChunks: ['echo'], timeoutMs: requested });
      newest().prints('codex\r\n');
      clock.advance(59_999);
      await settle();
      assert.equal(pending.answered, false);
      clock.advance(1);
      const { output } = await pending.result;
      assert.equal(output, `${WARNING(BigInt(requested).toString())}codex\r\n`);
    });
  }

  it('A2.17 is as it was asked for up to 60,000 ms, without a warning', async () => {
    const { begin, clock } = setUp();
    for (const timeoutMs of [1, 249, 60_000]) {
      const pending = await begin({ inputChunks: ['cat'], timeoutMs });
      clock.advance(timeoutMs - 1);
      await settle();
      assert.equal(pending.answered, false);
      clock.advance(1);
      assert.equal((await pending.result).output, '');
    }
  });

  it('A2.17 of 0 answers at once with what there is', async () => {
    const { begin, open } = setUp();
    const { sessionId, process } = await open();
    process.prints('there');
    const pending = await begin({ sessionId, inputChunks: [], timeoutMs: 0 });
    assert.deepEqual(await pending.result, { sessionId, output: 'there' });
  });

  it('A2.28 lasts to its end even if the process exits', async () => {
    const { begin, clock, newest } = setUp();
    const pending = await begin({ inputChunks: ['/bin/echo', 'codex'], timeoutMs: 1_500 });
    newest().prints('codex\r\n');
    newest().ends(0);
    clock.advance(1_499);
    await settle();
    assert.equal(pending.answered, false);
    clock.advance(1);
    assert.deepEqual(await pending.result, { output: 'codex\r\n' });
  });
});

describe('a unified exec request without a session', () => {
  it('A2.19, A2.23 starts its chunks as the argument list, and writes nothing', async () => {
    const { open, backend } = setUp();
    const { process } = await open('echo', '$HOME\n', '*');
    const { argv, cwd, env, envPolicy, tty, size } = process.params;
    assert.deepEqual(argv, ['echo', '$HOME\n', '*']);
    assert.equal(cwd, '/work');
    // The host's environment, and nothing else.
    assert.deepEqual(env, {});
    assert.deepEqual(envPolicy, {
      inherit: 'all',
      ignoreDefaultExcludes: true,
      exclude: [],
      set: {},
      includeOnly: [],
    });
    assert.equal(tty, true);
    assert.deepEqual(size, { columns: 80, rows: 24 });
    assert.equal(process.input, '');
    assert.equal(backend.processes.length, 1);
  });

  it('A2.20 numbers sessions from 0; a failed start takes a number as well', async () => {
    const { open, backend, begin } = setUp();
    assert.equal((await open()).sessionId, 0);
    assert.equal((await open()).sessionId, 1);
    backend.refusal = new Error('no such program');
    await assert.rejects((await begin({ inputChunks: ['missing'] })).result);
    backend.refusal = undefined;
    await assert.rejects((await begin({ inputChunks: [] })).result);
    assert.equal((await open()).sessionId, 4);
  });

  it('A2.20 numbers sessions that are started at once in the order of their requests', async () => {
    const { begin } = setUp();
    const all = await Promise.all([1, 2, 3].map(() => begin({ inputChunks: ['cat'], timeoutMs: 0 })));
    const ids = await Promise.all(all.map(async ({ result }) => (await result).sessionId));
    assert.deepEqual(ids, [0, 1, 2]);
  });

  it('A2.21 is refused without a command', async () => {
    const { begin, backend } = setUp();
    const { result } = await begin({ inputChunks: [] });
    await rejects(result, 'missingCommandLine', 'missing command line for unified exec request');
    assert.equal(backend.processes.length, 0);
  });

  it('A2.22 tells why the start failed', async () => {
    const { begin, backend, manager } = setUp();
    backend.refusal = new ExecError({ kind: 'programNotFound', program: 'missing', cwd: '/work' });
    const { result } = await begin({ inputChunks: ['missing'] });
    await rejects(
      result,
      'createSession',
      `Failed to create unified exec session: ${backend.refusal.message}`,
    );
    assert.deepEqual(manager.sessionIds, []);
  });

  it('A2.30 makes a session only if the process has not exited by the end', async () => {
    const { begin, clock, manager, newest } = setUp();
    const pending = await begin({ inputChunks: ['cat'], timeoutMs: 100 });
    assert.deepEqual(manager.sessionIds, []);
    clock.advance(100);
    assert.equal((await pending.result).sessionId, 0);
    assert.deepEqual(manager.sessionIds, [0]);

    const short = await begin({ inputChunks: ['true'], timeoutMs: 100 });
    newest().ends(3);
    clock.advance(100);
    assert.deepEqual(await short.result, { output: '' });
    assert.deepEqual(manager.sessionIds, [0]);
    assert.equal(newest().holders, 0);
  });

  it('has the output from before anybody could look, which the reference may lose (A2.34)', async () => {
    const { begin, clock, backend, newest } = setUp();
    const start = backend.start.bind(backend);
    backend.start = async (params) => {
      const process = await start(params);
      process.prints('early ');
      return process;
    };
    const pending = await begin({ inputChunks: ['cat'], timeoutMs: 100 });
    newest().prints('late');
    clock.advance(100);
    assert.equal((await pending.result).output, 'early late');
  });

  it('has the output of a process that was over before anybody could look', async () => {
    const { begin, clock, backend, newest } = setUp();
    const start = backend.start.bind(backend);
    backend.start = async (params) => {
      const process = await start(params);
      process.prints('codex');
      process.ends(0);
      return process;
    };
    const pending = await begin({ inputChunks: ['echo', 'codex'] });
    clock.advance(1_000);
    assert.deepEqual(await pending.result, { output: 'codex' });
    assert.equal(newest().holders, 0);
  });
});

describe('a unified exec request on a session', () => {
  it('A2.24 is refused if there is none of that id', async () => {
    const { begin } = setUp();
    for (const sessionId of [0, 7]) {
      const { result } = await begin({ sessionId, inputChunks: ['x'] });
      const error = await rejects(result, 'unknownSessionId', `Unknown session id ${sessionId}`);
      assert.equal(error.sessionId, sessionId);
    }
  });

  it('A2.25 is refused after the exit, which forgets the session and its output', async () => {
    const { begin, open, manager } = setUp();
    const { sessionId, process } = await open();
    process.prints('never collected');
    process.exits(0);
    await settle();
    assert.equal(process.holders, 0);
    for (let time = 0; time < 2; time++) {
      const { result } = await begin({ sessionId, inputChunks: [] });
      await rejects(result, 'unknownSessionId', 'Unknown session id 0');
      assert.deepEqual(manager.sessionIds, []);
    }
  });

  it('A2.26 writes its chunks joined by one space, as they are', async () => {
    const { open, request } = setUp();
    const { sessionId, process } = await open();
    await request({ sessionId, inputChunks: ['export', 'VAR=grün\n'] });
    assert.equal(process.input, 'export VAR=grün\n');
    await request({ sessionId, inputChunks: ['', ''] });
    assert.equal(process.input, 'export VAR=grün\n ');
  });

  for (const inputChunks of [[], ['']]) {
    it(`A2.26 writes nothing if they are ${JSON.stringify(inputChunks)}`, async () => {
      const { open, request } = setUp();
      const { sessionId, process } = await open();
      let writes = 0;
      process.write = () => {
        writes += 1;
        return Promise.resolve('accepted');
      };
      process.prints('polled');
      assert.deepEqual(await request({ sessionId, inputChunks }), { sessionId, output: 'polled' });
      assert.equal(writes, 0);
    });
  }

  it('A2.26 is refused at once if its input is not taken, and loses no output', async () => {
    const { begin, open, request } = setUp();
    const { sessionId, process } = await open();
    process.prints('before');
    process.writeStatus = 'stdinClosed';
    const { result } = await begin({ sessionId, inputChunks: ['x'] });
    const error = await rejects(result, 'writeToStdin', 'failed to write to stdin');
    assert.match(String(error.cause), /stdinClosed/);
    process.writeStatus = 'accepted';
    assert.deepEqual(await request({ sessionId, inputChunks: [] }), { sessionId, output: 'before' });
  });

  it('A2.26 takes a failed write for the end of the process, if that comes', async () => {
    const { begin, open, clock } = setUp();
    const { sessionId, process } = await open();
    process.write = () =>
      Promise.reject(new ExecError({ kind: 'writeFailed', processId: process.processId }));
    const ended = await begin({ sessionId, inputChunks: ['x'], timeoutMs: 100 });
    process.prints('last words');
    process.ends(1);
    clock.advance(100);
    assert.deepEqual(await ended.result, { output: 'last words' });

    const other = await open();
    other.process.write = () =>
      Promise.reject(new ExecError({ kind: 'writeFailed', processId: other.process.processId }));
    const goesOn = await begin({ sessionId: other.sessionId, inputChunks: ['x'], timeoutMs: 100 });
    clock.advance(100);
    await rejects(goesOn.result, 'writeToStdin', 'failed to write to stdin');
  });

  it('A2.26 leaves it to the next request to tell that its input was refused too late for its own answer', async () => {
    const { begin, open, request } = setUp();
    const { sessionId, process } = await open();
    let refuse: (reason: Error) => void = () => undefined;
    process.write = () => new Promise((_, reject) => (refuse = reject));
    const { result } = await begin({ sessionId, inputChunks: ['x'], timeoutMs: 0 });
    assert.deepEqual(await result, { sessionId, output: '' });
    refuse(new Error('too much waits'));
    await settle();
    const { output } = await request({ sessionId, inputChunks: [] });
    assert.equal(output, '\n[... input was not taken: too much waits ...]\n');
  });

  it('A2.26 does not wait until its input has been read', async () => {
    const { begin, open, clock } = setUp();
    const { sessionId, process } = await open();
    process.write = () => new Promise(() => undefined);
    const pending = await begin({ sessionId, inputChunks: ['x'], timeoutMs: 10 });
    process.prints('busy');
    clock.advance(10);
    assert.deepEqual(await pending.result, { sessionId, output: 'busy' });
  });

  it('A2.27 has what came before it and what comes until its end, once', async () => {
    const { begin, open, clock } = setUp();
    const { sessionId, process } = await open();
    process.prints('before ');
    await settle();
    const pending = await begin({ sessionId, inputChunks: [], timeoutMs: 100 });
    process.prints('in ');
    clock.advance(99);
    process.prints('time');
    clock.advance(1);
    assert.equal((await pending.result).output, 'before in time');
    process.prints('too late');
    const next = await begin({ sessionId, inputChunks: [], timeoutMs: 0 });
    assert.equal((await next.result).output, 'too late');
  });

  it('A2.27 gives each piece of output to one of two requests', async () => {
    const { begin, open, clock } = setUp();
    const { sessionId, process } = await open();
    const long = await begin({ sessionId, inputChunks: [], timeoutMs: 200 });
    const longer = await begin({ sessionId, inputChunks: [], timeoutMs: 300 });
    process.prints('one');
    clock.advance(200);
    assert.equal((await long.result).output, 'one');
    process.prints('two');
    clock.advance(100);
    assert.equal((await longer.result).output, 'two');
  });

  it('A2.29 answers with at most 128 KiB, and adds the warning behind that', async () => {
    const { begin, clock, newest } = setUp();
    const pending = await begin({ inputChunks: ['yes'], timeoutMs: 60_001 });
    for (let chunk = 0; chunk < 100; chunk++) {
      newest().prints('y\n'.repeat(5_000));
    }
    clock.advance(60_000);
    const { output } = await pending.result;
    const text = output.slice(WARNING('60001').length);
    assert.match(text, /^(y\n)+…\d+ tokens truncated…\n(y\n)+$/);
    const bytes = Buffer.byteLength(text);
    assert.ok(bytes <= 131_073 && bytes > 131_060, `${bytes} bytes`);
    const tokens = Number(/…(\d+)/.exec(text)?.[1]);
    const kept = text.replace(/…\d+ tokens truncated…\n/, '').length;
    assert.equal(tokens, Math.ceil((1_000_000 - kept) / 4));
  });

  it('A2.30, A2.31 forgets a session that has exited by its end, and tells no id', async () => {
    const { begin, open, clock, manager } = setUp();
    const { sessionId, process } = await open();
    const pending = await begin({ sessionId, inputChunks: ['exit\n'], timeoutMs: 1_500 });
    process.prints('exit\r\n');
    process.ends(0);
    clock.advance(1_500);
    assert.deepEqual(await pending.result, { output: 'exit\r\n' });
    assert.deepEqual(manager.sessionIds, []);
    assert.equal(process.holders, 0);
  });

  it('A2.32 has the newest 128 KiB of what nobody waited for', async () => {
    const { open, request } = setUp();
    const { sessionId, process } = await open();
    process.prints('a'.repeat(131_072));
    process.prints('b');
    process.prints('c');
    const { output } = await request({ sessionId, inputChunks: [] });
    assert.equal(output, `${'a'.repeat(131_070)}bc`);
  });

  it('loses nothing of a burst, which ends the output of the reference for good (A2.33)', async () => {
    const { open, request } = setUp();
    const { sessionId, process } = await open();
    const lines = Array.from({ length: 5_000 }, (_, index) => `${index}\n`);
    for (const line of lines) {
      process.prints(line);
    }
    assert.equal((await request({ sessionId, inputChunks: [] })).output, lines.join(''));
    process.prints('and on');
    assert.equal((await request({ sessionId, inputChunks: [] })).output, 'and on');
  });

  it('tells of output that never came', async () => {
    const { open, request } = setUp();
    const { sessionId, process } = await open();
    process.prints('one');
    process.log.appendMissing(4, 123_456);
    process.prints('two');
    process.log.appendMissing(9);
    assert.equal(
      (await request({ sessionId, inputChunks: [] })).output,
      'one\n[... 123,456 bytes are gone ...]\ntwo\n[... some output is gone ...]\n',
    );
  });

  it('tells once that a session was lost, also if nobody was there', async () => {
    const { open, request, begin, manager } = setUp();
    const { sessionId, process } = await open();
    process.prints('half a li');
    process.fails('exec-server transport disconnected');
    await settle();
    assert.equal(process.holders, 0);
    assert.deepEqual(await request({ sessionId, inputChunks: [] }), {
      output: 'half a li\n[... the session is lost: exec-server transport disconnected ...]\n',
    });
    assert.deepEqual(manager.sessionIds, []);
    const { result } = await begin({ sessionId, inputChunks: [] });
    await rejects(result, 'unknownSessionId', 'Unknown session id 0');
  });
});

describe('a unified exec request that is cancelled', () => {
  it('ends at once, and neither the process nor output with it', async () => {
    const { open, begin, clock, request } = setUp();
    const { sessionId, process } = await open();
    const cancel = new AbortController();
    const pending = await begin({ sessionId, inputChunks: [], timeoutMs: 10_000, signal: cancel.signal });
    process.prints('kept');
    cancel.abort();
    await settle();
    assert.equal(pending.answered, true);
    assert.equal(clock.pendingTimers, 0);
    assert.deepEqual(await request({ sessionId, inputChunks: [] }), { sessionId, output: 'kept' });
  });

  it('leaves the session that it has started', async () => {
    const { begin, manager } = setUp();
    const cancel = new AbortController();
    const pending = await begin({ inputChunks: ['cat'], signal: cancel.signal });
    cancel.abort();
    await pending.result;
    assert.deepEqual(manager.sessionIds, [0]);
  });

  it('starts nothing if it was before', async () => {
    const { begin, backend } = setUp();
    const { result } = await begin({ inputChunks: ['cat'], signal: AbortSignal.abort() });
    await assert.rejects(result, { name: 'AbortError' });
    assert.equal(backend.processes.length, 0);
  });
});

describe('disposing unified exec', () => {
  it('A2.36 ends every process, also those that nobody knows of yet', async () => {
    const { open, begin, manager, backend, clock } = setUp();
    await open();
    const pending = await begin({ inputChunks: ['sleep', '9'] });
    const ended: string[] = [];
    for (const process of backend.processes) {
      process.terminate = () => {
        ended.push(process.params.argv.join(' '));
        process.ends(137, 'SIGKILL');
        return Promise.resolve({ running: true });
      };
    }
    await manager.dispose();
    assert.deepEqual(ended, ['bash -i', 'sleep 9']);
    assert.deepEqual(
      backend.processes.map(({ holders }) => holders),
      [0, 0],
    );
    clock.advance(1_000);
    assert.deepEqual(await pending.result, { output: '' });
    assert.deepEqual(manager.sessionIds, []);
  });

  it('A2.36 ends a process whose start was under way', async () => {
    const { begin, manager, backend, newest } = setUp();
    let ended = false;
    const start = backend.start.bind(backend);
    let go: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    backend.start = async (params) => {
      const process = await start(params);
      process.terminate = () => {
        ended = true;
        return Promise.resolve({ running: true });
      };
      await gate;
      return process;
    };
    const pending = await begin({ inputChunks: ['cat'] });
    await manager.dispose();
    go();
    await assert.rejects(pending.result, /Failed to create unified exec session/);
    assert.equal(ended, true);
    assert.equal(newest().holders, 0);
  });
});
