import assert from 'node:assert/strict';

import { line, parts } from '../replyParts.js';
import { scriptedTools, settle } from '../scriptedHost.js';

describe('write_stdin', () => {
  it('sends exactly the characters, and answers with what comes of it', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts({ cmd: 'x', stdin: true });
    const reply = call('write_stdin', { session: 1, chars: 'a\\n\té\n' });
    await settle();
    assert.equal(process(1).input, 'a\\n\té\n');
    process(1).prints('got it\n');
    await settle();
    clock.advance(250);
    assert.equal(parts(await reply).output, 'got it\n');
    assert.equal(clock.pendingTimers, 0);
  });

  it('without characters only waits, and returns early at the end', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts();
    const reply = call('write_stdin', { session: 1, yield_time_ms: 55_000 });
    await settle();
    clock.advance(5_000);
    process(1).ends(2);
    assert.equal(line(await reply, 'State'), 'exited with code 2');
    assert.equal(process(1).input, '');
    assert.equal(clock.pendingTimers, 0);
  });

  it('says what to do if there is no input', async () => {
    const { starts, call } = scriptedTools();
    await starts();
    for (const input of [{ chars: 'x' }, { close: true }]) {
      const reply = await call('write_stdin', { session: 1, ...input });
      assert.equal(reply.isError, true);
      assert.match(
        reply.text,
        /^Nothing was sent: Session 1 \(run\) has no input.*tty=true or stdin=true\.$/,
      );
    }
  });

  it('interrupts what runs on pipes with Ctrl-C', async () => {
    for (const stdin of [false, true]) {
      const { starts, call, process } = scriptedTools();
      await starts({ cmd: 'x', stdin });
      const reply = call('write_stdin', { session: 1, chars: '\u0003' });
      await settle();
      assert.deepEqual([process(1).signals, process(1).input], [['SIGINT'], '']);
      process(1).ends(130, 'SIGINT');
      assert.equal(line(await reply, 'State'), 'ended by SIGINT (exit code 130)');
    }
  });

  it('closes the input behind the characters', async () => {
    const { starts, call, process } = scriptedTools();
    await starts({ cmd: 'x', stdin: true });
    const reply = call('write_stdin', { session: 1, chars: 'last\n', close: true });
    await settle();
    assert.equal(process(1).input, 'last\n<end>');
    process(1).ends(0);
    assert.equal((await reply).isError, false);
    // An end is a normal reply, not an error.
    const late = await call('write_stdin', { session: 1, chars: 'x' });
    assert.equal(late.isError, false);
    assert.equal(line(late, 'Warning'), 'nothing was sent: the command had ended already.');
    assert.equal(line(late, 'State'), 'exited with code 0');
  });

  for (const [status, error] of [
    ['stdinClosed', 'has been closed'],
    ['unknownProcess', 'does not know the process any more'],
    ['starting', 'is still starting'],
  ] as const) {
    it(`tells that the input ${error}`, async () => {
      const { starts, call, process } = scriptedTools();
      await starts({ cmd: 'x', tty: true });
      process(1).writeStatus = status;
      const reply = await call('write_stdin', { session: 1, chars: 'x' });
      assert.equal(reply.isError, true);
      assert.ok(reply.text.startsWith('Nothing was sent:') && reply.text.includes(error), reply.text);
    });
  }

  it('of two agents go one behind the other, and neither waits for the other to read', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts({ cmd: 'x', stdin: true });
    const finish: (() => void)[] = [];
    process(1).write = (bytes) => {
      const text = new TextDecoder().decode(bytes);
      return new Promise((resolve) => {
        process(1).input += `<${text}`;
        finish.push(() => {
          process(1).input += `${text}>`;
          resolve('accepted');
        });
      });
    };
    const long = call('write_stdin', { session: 1, chars: 'a', yield_time_ms: 55_000 });
    await settle();
    const other = call('write_stdin', { session: 1, chars: 'b' }, { agent: 'b' });
    await settle();
    assert.equal(process(1).input, '<a');
    finish[0]?.();
    await settle();
    // The first call still waits for output, but its input is done, and other calls wait only for that.
    assert.equal(process(1).input, '<aa><b');
    finish[1]?.();
    await settle();
    clock.advance(250);
    assert.equal((await other).isError, false);
    process(1).ends(0);
    assert.equal(line(await long, 'State'), 'exited with code 0');
  });

  it('does not let others wait for a program that takes no input', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts({ cmd: 'x', stdin: true });
    process(1).write = () => new Promise(() => undefined);
    const stuck = call('write_stdin', { session: 1, chars: 'much', yield_time_ms: 30_000 });
    const interrupt = call('write_stdin', { session: 1, chars: '\u0003' }, { agent: 'b' });
    await settle();
    assert.deepEqual(process(1).signals, []);
    clock.advance(1_000);
    await settle();
    assert.deepEqual(process(1).signals, ['SIGINT']);
    process(1).ends(130);
    assert.match(line(await stuck, 'Warning') ?? '', /has not taken all of the input yet/);
    assert.equal(line(await interrupt, 'State'), 'exited with code 130');
  });

  it('that waits for its turn can be cancelled, and sends nothing then', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts({ cmd: 'x', stdin: true });
    let finish: () => void = () => undefined;
    const taken: string[] = [];
    process(1).write = (bytes) => {
      taken.push(new TextDecoder().decode(bytes));
      return new Promise((resolve) => (finish = () => resolve('accepted')));
    };
    const first = call('write_stdin', { session: 1, chars: 'a' });
    await settle();
    const abort = new AbortController();
    const second = call('write_stdin', { session: 1, chars: 'b' }, { signal: abort.signal });
    await settle();
    abort.abort();
    assert.match((await second).text, /cancelled/);
    finish();
    await settle();
    clock.advance(250);
    await first;
    assert.deepEqual(taken, ['a']);
  });

  it('that fails because the command has ended meanwhile is no error', async () => {
    const { starts, call, process } = scriptedTools();
    await starts({ cmd: 'x', stdin: true });
    process(1).write = () => {
      process(1).ends(1);
      return Promise.reject(new Error('it takes no more input'));
    };
    const reply = await call('write_stdin', { session: 1, chars: 'x' });
    assert.equal(reply.isError, false);
    assert.equal(line(reply, 'Warning'), 'the command ended before it took all of the input.');
    assert.equal(line(reply, 'State'), 'exited with code 1');
  });
});
