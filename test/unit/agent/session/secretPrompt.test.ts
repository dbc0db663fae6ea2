import assert from 'node:assert/strict';

import type { InputMode } from '../../../../src/core/index.js';
import { BASE_SERVER, EVERYTHING } from '../../../support/scriptedBackend.js';
import { LINES, SECRET, SHELL } from '../input/inputModes.js';
import { line } from '../replyParts.js';
import { scriptedTools, settle } from '../scriptedHost.js';

/** A server that cannot tell who reads. */
const MODES_ONLY = { ...EVERYTHING, inputWait: false };

describe('A program that waits for a secret', () => {
  async function waiting(options: Parameters<typeof scriptedTools>[0] = {}) {
    const setup = scriptedTools({ capabilities: MODES_ONLY, ...options });
    const { starts, call, process, clock } = setup;
    await starts({ cmd: 'sudo x', tty: true });
    let mode: InputMode | undefined = SECRET;
    let asked = 0;
    process(1).mode = () => {
      asked += 1;
      return Promise.resolve(mode);
    };
    const reply = call('wait_for', { session: 1, exit: true });
    await settle();
    process(1).prints('Password: ');
    await settle();
    return {
      ...setup,
      reply,
      asked: () => asked,
      becomes: (next: InputMode | undefined) => (mode = next),
      quiet: async (ms: number) => {
        clock.advance(ms);
        await settle();
      },
    };
  }

  it('ends the wait of an agent, calls a person, and keeps the agent from typing', async () => {
    const { reply, host, call, process, clock, quiet, becomes } = await waiting();
    await quiet(499);
    assert.equal(host.called, 0);
    await quiet(1);
    const { text, structured } = await reply;
    assert.match(
      text,
      /^Warning: The program is waiting for a secret\. Do not send it and do not ask for it in chat\. A person/,
    );
    assert.match(
      text,
      /\nState: waiting for a secret\nCondition: none met: the program waits for a secret\n/,
    );
    assert.deepEqual([structured['state'], structured['ending']], ['waitingForSecret', 'secret']);
    assert.equal(host.calls, 1);
    const refused = await call('write_stdin', { session: 1, chars: 'hunter2\n' });
    assert.equal(refused.isError, true);
    assert.match(refused.text, /^Nothing was sent to session 1\. The program is waiting for a secret\./);
    assert.equal(process(1).input, '');
    // The person types it; the program prints a line end and turns echo on again.
    becomes(LINES);
    process(1).prints('\r\n');
    await quiet(100);
    assert.equal(host.calls, 0);
    assert.equal(clock.pendingTimers, 0);
    const typed = call('write_stdin', { session: 1, chars: 'y\n', yield_time_ms: 0 });
    await settle();
    clock.advance(0);
    assert.equal((await typed).isError, false);
    assert.equal(process(1).input, 'y\n');
  });

  it('does not end the waits of an agent that knows it, which learn how it goes on', async () => {
    const { reply, host, call, process, clock, quiet, becomes } = await waiting();
    await quiet(500);
    await reply;
    const again = call('wait_for', { session: 1, exit: true });
    await settle();
    await quiet(10_000);
    assert.deepEqual([host.calls, host.called], [1, 1]);
    assert.equal(line(await call('read_output', { session: 1 }), 'Warning'), undefined, 'it is told once');
    // Another agent does not know it yet.
    const other = call('wait_for', { session: 1, exit: true }, { agent: 'b' });
    await settle();
    await quiet(500);
    assert.equal((await other).structured['ending'], 'secret');
    assert.match(line(await other, 'Warning') ?? '', /^The program is waiting for a secret\./);
    becomes(undefined);
    process(1).ends(0);
    assert.equal((await again).structured['state'], 'closed');
    await settle();
    assert.deepEqual([host.calls, clock.pendingTimers], [0, 0]);
  });

  it('is looked at again when an agent wants to type', async () => {
    const { reply, call, process, clock, quiet, becomes } = await waiting();
    await quiet(500);
    await reply;
    becomes(LINES);
    const typed = call('write_stdin', { session: 1, chars: 'x', yield_time_ms: 0 });
    await settle();
    clock.advance(0);
    assert.equal((await typed).isError, false);
    assert.equal(process(1).input, 'x');
  });

  it('takes only an empty line and an interrupt from an agent, which are not secrets', async () => {
    const { reply, call, process, clock, quiet } = await waiting();
    await quiet(500);
    assert.match((await reply).text, /write_stdin keys \["C-c"\].*\["Enter"\] is an empty answer/);
    for (const input of [
      { chars: 'x\r' },
      { chars: '\r\r' },
      { keys: ['x', 'Enter'] },
      { keys: ['Enter', 'Enter'] },
      { chars: ' ' },
      { keys: ['C-d'] },
      { chars: '\r', close: true },
      { close: true },
    ]) {
      const refused = await call('write_stdin', { session: 1, ...input });
      assert.match(refused.text, /^Nothing was sent to session 1\./, JSON.stringify(input));
    }
    assert.equal(process(1).input, '');
    for (const input of [{ chars: '\r' }, { chars: '\n' }, { keys: ['Enter'] }, { keys: ['C-c'] }]) {
      const typed = call('write_stdin', { session: 1, yield_time_ms: 0, ...input });
      await settle();
      // Behind an empty line there may be no prompt, so the terminal is looked at twice.
      await quiet(500);
      clock.advance(0);
      assert.equal((await typed).isError, false);
    }
    assert.equal(process(1).input, '\r\n\r\u0003');
  });

  it('is told again if another one follows an empty answer at once', async () => {
    const { reply, host, call, quiet } = await waiting();
    await quiet(500);
    await reply;
    const typed = call('write_stdin', { session: 1, keys: ['Enter'], yield_time_ms: 60_000 });
    await settle();
    assert.equal(host.calls, 0);
    await quiet(500);
    assert.equal((await typed).structured['state'], 'waitingForSecret');
    assert.deepEqual([host.calls, host.called], [1, 2]);
  });

  it('is asked less and less often while it is silent, and only then', async () => {
    const { reply, asked, becomes, process, quiet } = await waiting();
    becomes(SHELL);
    const times: number[] = [];
    for (const ms of [499, 1, 499, 1, 1_000, 4_999, 1, 4_999, 1]) {
      await quiet(ms);
      times.push(asked());
    }
    assert.deepEqual(times, [0, 1, 1, 2, 3, 3, 4, 4, 5]);
    process(1).prints('...');
    await settle();
    await quiet(200);
    process(1).prints('...');
    await settle();
    await quiet(499);
    assert.equal(asked(), 5);
    process(1).ends(0);
    await reply;
  });

  it('ends the call for a person when that person gives control back', async () => {
    const { reply, host, hosted, call, quiet } = await waiting();
    await quiet(500);
    await reply;
    hosted(1).isControlledBy('person');
    assert.equal(host.calls, 1);
    hosted(1).isControlledBy('agent');
    assert.equal(host.calls, 0);
    // The person typed nothing, or the wrong secret: the agent still must not type, and the person is called once more.
    const typing = call('write_stdin', { session: 1, chars: 'x' });
    await settle();
    await quiet(500);
    assert.equal((await typing).isError, true);
    assert.deepEqual([host.calls, host.called], [1, 2]);
  });

  it('is reported as such where nobody can be asked', async () => {
    const { reply, call, quiet } = await waiting({ people: false });
    await quiet(500);
    assert.match(
      (await reply).text,
      /^Warning: The program is waiting for a secret, and nobody can be asked for it here\./,
    );
    const again = call('wait_for', { session: 1, exit: true, timeout_ms: 2_000 });
    await settle();
    await quiet(2_000);
    assert.match((await again).text, /\nCondition: none met within 2\.00 s\n/);
    assert.match((await call('write_stdin', { session: 1, chars: 'x' })).text, /nobody can be asked/);
  });

  it('is not guessed where it cannot be detected, which is said once', async () => {
    const { starts, call, clock, process } = scriptedTools({ capabilities: BASE_SERVER });
    const first = await starts({ cmd: 'sudo x', tty: true });
    assert.match(first.text, /^Warning: it cannot be detected here whether a program waits for a password/);
    const reply = call('wait_for', { session: 1, exit: true, timeout_ms: 1_000 });
    await settle();
    process(1).mode = () => assert.fail('It was asked.');
    clock.advance(1_000);
    assert.doesNotMatch((await reply).text, /Warning/);
    assert.doesNotMatch((await starts({ cmd: 'make' })).text, /Warning/);
  });

  it('that cannot be asked at the moment does not count as one', async () => {
    const { reply, process, quiet, host } = await waiting();
    process(1).mode = () => Promise.reject(new Error('no connection'));
    await quiet(500);
    process(1).ends(0);
    assert.equal((await reply).structured['state'], 'closed');
    assert.equal(host.called, 0);
  });

  it('calls nobody for a call that was cancelled while it was asked', async () => {
    const { starts, call, process, clock, host } = scriptedTools({ capabilities: MODES_ONLY });
    await starts({ cmd: 'sudo x', tty: true });
    let tell: (mode: InputMode) => void = () => undefined;
    process(1).mode = () => new Promise((resolve) => (tell = resolve));
    const abort = new AbortController();
    const reply = call('wait_for', { session: 1, exit: true }, { signal: abort.signal });
    await settle();
    clock.advance(500);
    abort.abort();
    await reply;
    tell(SECRET);
    await settle();
    assert.deepEqual([host.called, clock.pendingTimers], [0, 0]);
  });
});
