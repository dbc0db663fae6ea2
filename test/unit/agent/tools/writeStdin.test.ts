import assert from 'node:assert/strict';

import type { InputMode } from '../../../../src/core/index.js';
import { until } from '../../../support/until.js';
import { KEYS, LINES, SHELL } from '../input/inputModes.js';
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
      assert.equal(line(await reply, 'State'), 'ended by SIGINT (exit code 130, sent by a)');
    }
  });

  it('closes the input after the characters', async () => {
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

  it('of two agents comes one after the other, and neither waits for the other to read', async () => {
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
    assert.match(
      (await stuck).text,
      /^Warning: The agent b has called write_stdin for session 1 \(x\)\.\nWarning: .* has not taken all of the input yet/,
    );
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

  it('is not an error when the command has ended meanwhile', async () => {
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

  it('sends Enter for the line feed at the end where the program reads key by key, and says so once', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts({ cmd: 'x', tty: true });
    const type = async (input: object, mode: InputMode | undefined) => {
      process(1).mode = () => Promise.resolve(mode);
      process(1).input = '';
      const reply = call('write_stdin', { session: 1, yield_time_ms: 0, ...input });
      await settle();
      clock.advance(0);
      return { sent: process(1).input, said: line(await reply, 'Keys') };
    };
    const said = 'the program reads single keys, so "\\n" is sent as Enter';
    assert.deepEqual(await type({ chars: 'demo\n' }, KEYS), { sent: 'demo\r', said });
    assert.deepEqual(await type({ chars: '\n' }, KEYS), { sent: '\r', said: undefined });
    assert.deepEqual(await type({ chars: 'ab\n', keys: ['Down'] }, KEYS), {
      sent: 'ab\r\u001b[B',
      said: undefined,
    });
    // These are what they are.
    for (const chars of ['a\r\n', 'a\r']) {
      assert.deepEqual(await type({ chars }, KEYS), { sent: chars, said: undefined }, JSON.stringify(chars));
    }
    for (const mode of [
      LINES,
      undefined,
      SHELL,
      { ...SHELL, enterIsLineFeed: true },
      { ...LINES, enterIsLineFeed: false },
    ]) {
      assert.deepEqual(await type({ chars: 'a\n' }, mode), { sent: 'a\n', said: undefined });
    }
  });

  it('presses keys after the characters, as the terminal sends them now', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts({ cmd: 'x', tty: true });
    const press = async (input: object) => {
      process(1).input = '';
      const reply = call('write_stdin', { session: 1, yield_time_ms: 0, ...input });
      await until(() => process(1).input !== '');
      await settle();
      clock.advance(0);
      assert.equal((await reply).isError, false);
      return process(1).input;
    };
    assert.equal(await press({ chars: 'ab', keys: ['Up', 'Enter'] }), 'ab\u001b[A\r');
    process(1).prints('\u001b[?1h');
    assert.equal(await press({ keys: ['Up', 'C-c'] }), '\u001bOA\u0003');
    process(1).prints('\u001b[?1l');
    assert.equal(await press({ keys: ['Up'] }), '\u001b[A');
    const wrong = await call('write_stdin', { session: 1, chars: 'x', keys: ['Dwon'] });
    assert.deepEqual([wrong.isError, process(1).input], [true, '\u001b[A']);
    assert.match(wrong.text, /^Nothing was sent: there is no key "Dwon"\. Keys are Up, Down, /);
    const many = await call('write_stdin', { session: 1, keys: Array<string>(65).fill('Up') });
    assert.match(many.text, /^Nothing was sent: a call takes at most 64 keys, not 65\./);
  });

  it('knows the cursor keys of a program whose beginning is no longer kept', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts({ cmd: 'x', tty: true });
    process(1).prints('\u001b[?1h');
    for (let count = 0; count < 40; count++) {
      process(1).prints('drawing '.repeat(8 * 1024));
      clock.advance(1_000);
      await settle();
    }
    assert.ok(process(1).log.stats.bytes - process(1).log.stats.retainedBytes > 1024 * 1024);
    const reply = call('write_stdin', { session: 1, keys: ['Down'], yield_time_ms: 0 });
    await until(() => process(1).input, '\u001bOB');
    await settle();
    clock.advance(0);
    await reply;
  });

  it('sends several lines as one paste to a program that knows pastes', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts({ cmd: 'x', tty: true });
    process(1).prints('\u001b[?2004h> ');
    const reply = call('write_stdin', { session: 1, chars: 'one\ntwo', yield_time_ms: 0 });
    await until(() => process(1).input, '\u001b[200~one\rtwo\u001b[201~');
    await settle();
    clock.advance(0);
    await reply;
  });

  it('sends the keys of a text to a pipe, interrupts it, and refuses others', async () => {
    const { starts, call, process, clock } = scriptedTools();
    await starts({ cmd: 'x', stdin: true });
    const reply = call('write_stdin', { session: 1, keys: ['y', 'Enter'], yield_time_ms: 0 });
    await settle();
    clock.advance(0);
    assert.equal((await reply).isError, false);
    assert.equal(process(1).input, 'y\n');
    assert.match(
      (await call('write_stdin', { session: 1, keys: ['Down'] })).text,
      /^Nothing was sent: the session has no terminal, and a pipe does not take the key "Down"\./,
    );
    for (const end of [{ chars: '\u0004' }, { keys: ['C-d'] }]) {
      const refused = await call('write_stdin', { session: 1, ...end });
      assert.equal(refused.isError, true);
      assert.match(refused.text, /a pipe does not know Ctrl-D\. To end the input, use close=true\.$/);
    }
    for (const key of ['C-c', 'C-d']) {
      const { text } = await call('write_stdin', { session: 1, chars: 'x', keys: [key] });
      assert.ok(
        text.startsWith(
          `Nothing was sent: the session has no terminal, and a pipe does not take the key "${key}".`,
        ),
        text,
      );
    }
    assert.deepEqual([process(1).input, process(1).signals], ['y\n', []]);
    const interrupt = call('write_stdin', { session: 1, keys: ['C-c'], yield_time_ms: 0 });
    await settle();
    clock.advance(0);
    await interrupt;
    assert.deepEqual([process(1).input, process(1).signals], ['y\n', ['SIGINT']]);
  });
});
