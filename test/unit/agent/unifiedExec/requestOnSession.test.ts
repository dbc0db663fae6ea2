import assert from 'node:assert/strict';

import { ExecError } from '../../../../src/core/index.js';
import { setUp, settle } from './setup.js';
import { rejects, WARNING } from './setup.js';

describe('a unified exec request on a session', () => {
  it('A2.24 is refused if no session has that id', async () => {
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

  it('A2.29 answers with at most 128 KiB, and adds the warning after that', async () => {
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
