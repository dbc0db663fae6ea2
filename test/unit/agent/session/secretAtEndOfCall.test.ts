import assert from 'node:assert/strict';

import type { InputMode } from '../../../../src/core/index.js';
import { EVERYTHING } from '../../../support/scriptedBackend.js';
import { LINES, SECRET, SHELL } from '../input/inputModes.js';
import { scriptedTools, settle } from '../scriptedHost.js';

describe('A secret at the end of a call', () => {
  async function prompting() {
    const setup = scriptedTools({ capabilities: { ...EVERYTHING, inputWait: false } });
    const { starts, call, process } = setup;
    await starts({ cmd: 'bash', tty: true });
    let mode: InputMode = SHELL;
    process(1).mode = () => Promise.resolve(mode);
    const types = (chars: string) => {
      const reply = call('write_stdin', { session: 1, chars });
      return settle().then(() => reply);
    };
    return { ...setup, types, becomes: (next: InputMode) => (mode = next) };
  }

  it('is found although the call is shorter than the usual silence', async () => {
    const { call, process, clock, becomes, host } = await prompting();
    const reply = call('write_stdin', { session: 1, chars: 'su\n' });
    await settle();
    becomes(SECRET);
    process(1).prints('Password: ');
    clock.advance(250);
    const { text } = await reply;
    assert.match(text, /^Warning: The program is waiting for a secret\..*\nSession 1: bash\nState: waiting/);
    assert.equal(host.called, 1);
    // The agent knows of the prompt now, so that does not end its next wait.
    const again = call('wait_for', { session: 1, exit: true, timeout_ms: 5_000 });
    await settle();
    clock.advance(5_000);
    assert.equal((await again).structured['ending'], 'time');
  });

  it('is not looked for while the program prints', async () => {
    const { call, process, clock, becomes, host } = await prompting();
    const reply = call('write_stdin', { session: 1, chars: 'make\n' });
    await settle();
    becomes(SECRET);
    clock.advance(151);
    process(1).prints('...');
    await settle();
    clock.advance(99);
    assert.match((await reply).text, /\nState: running\n|^Session 1: bash\nState: running\n/);
    assert.equal(host.called, 0);
  });

  it('keeps an agent from typing that has not waited long enough to see it', async () => {
    const { call, process, clock, becomes, host } = await prompting();
    const waited = call('wait_for', { session: 1, pattern: 'word' });
    await settle();
    becomes(SECRET);
    process(1).prints('Password: ');
    assert.deepEqual((await waited).structured['met'], ['pattern']);
    const typed = call('write_stdin', { session: 1, chars: 'hunter2\n' });
    await settle();
    clock.advance(300);
    const refused = await typed;
    assert.deepEqual([refused.isError, process(1).input, host.called], [true, '', 1]);
    assert.match(refused.text, /^Nothing was sent to session 1\. The program is waiting for a secret\./);
  });

  it('does not keep it from typing into a program that has echo off for a moment', async () => {
    const { call, process, clock, becomes, host } = await prompting();
    becomes(SECRET);
    const typed = call('write_stdin', { session: 1, chars: 'y\n', yield_time_ms: 0 });
    await settle();
    becomes(LINES);
    clock.advance(300);
    await settle();
    clock.advance(0);
    assert.equal((await typed).isError, false);
    assert.deepEqual([process(1).input, host.called], ['y\n', 0]);
  });

  it('can be given up with the interrupt key, and nothing else', async () => {
    const { call, process, clock, becomes } = await prompting();
    becomes(SECRET);
    const refused = call('write_stdin', { session: 1, chars: 'x' });
    await settle();
    clock.advance(300);
    assert.equal((await refused).isError, true);
    for (const input of [{ chars: '\u0003x' }, { chars: '\u0003', close: true }, { close: true }]) {
      assert.equal((await call('write_stdin', { session: 1, ...input })).isError, true);
    }
    const key = call('write_stdin', { session: 1, chars: '\u0003', yield_time_ms: 0 });
    await settle();
    clock.advance(0);
    assert.equal((await key).isError, false);
    assert.equal(process(1).input, '\u0003');
  });

  it('stays one while its machine cannot be asked', async () => {
    const { call, process, clock, becomes, host } = await prompting();
    becomes(SECRET);
    const refused = call('write_stdin', { session: 1, chars: 'x' });
    await settle();
    clock.advance(300);
    await refused;
    host.backend.loses('the cable is out', 25_000);
    const meanwhile = await call('write_stdin', { session: 1, chars: 'hunter2\n' });
    assert.deepEqual([meanwhile.isError, process(1).input], [true, '']);
    host.backend.recovers();
    process(1).mode = () => new Promise(() => undefined);
    const silent = call('write_stdin', { session: 1, chars: 'hunter2\n' });
    await settle();
    clock.advance(1_000);
    assert.deepEqual([(await silent).isError, process(1).input], [true, '']);
  });
});
