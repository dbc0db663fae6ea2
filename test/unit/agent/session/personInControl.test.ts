import assert from 'node:assert/strict';

import { LINES } from '../input/inputModes.js';
import { scriptedTools, settle } from '../scriptedHost.js';

describe('A person who takes control', () => {
  it('is told to the agent with its next reply, and keeps it from typing', async () => {
    const { starts, call, hosted, process } = scriptedTools();
    await starts({ cmd: 'bash', tty: true });
    await starts({ cmd: 'other' });
    hosted(1).isControlledBy('person');
    // The next reply is about another session.
    const next = await call('read_output', { session: 2 });
    assert.match(next.text, /^Warning: A person has taken control of session 1 \(bash\)\. You can read it/);
    assert.doesNotMatch((await call('read_output', { session: 1 })).text, /person/);
    for (const [name, input] of [
      ['write_stdin', { session: 1, chars: 'x' }],
      ['send_signal', { session: 1, signal: 'SIGINT' }],
    ] as const) {
      const refused = await call(name, input);
      assert.equal(refused.isError, true);
      assert.match(refused.text, /not sent|Nothing was sent: a person has control of session 1\./);
    }
    assert.deepEqual([process(1).input, process(1).signals], ['', []]);
    // Reading and stopping are still possible.
    const poll = call('write_stdin', { session: 1 });
    await settle();
    process(1).prints('typed by a person\n');
    const stopped = call('stop_session', { session: 1 });
    await settle();
    assert.equal(hosted(1).stops.length, 1);
    process(1).ends(0);
    assert.match((await poll).text, /typed by a person/);
    assert.equal((await stopped).isError, false);
  });

  it('types text that the agent sees as echo; the last input of the agent still counts', async () => {
    const { starts, call, hosted, process, clock } = scriptedTools();
    await starts({ cmd: 'bash', tty: true });
    process(1).prints('old\r\n$ ');
    const typed = call('write_stdin', { session: 1, chars: 'make\r', yield_time_ms: 60_000 });
    await settle();
    process(1).prints('make\r\nmade\r\n$ ');
    hosted(1).isControlledBy('person');
    const wait = call('wait_for', { session: 1, pattern: 'DONE' });
    await settle();
    for (const key of 'sleep 9; echo DONE # and more than are kept of agents\r') {
      hosted(1).isTypedByPerson(key);
      process(1).prints(key === '\r' ? '\r\n' : key);
      await settle();
    }
    process(1).prints('DONE\r\n');
    await settle();
    assert.match((await wait).text, /^Condition: pattern met .* by the line: DONE$/m);
    const old = call('wait_for', { session: 1, pattern: '^old', timeout_ms: 1_000 });
    await settle();
    clock.advance(1_000);
    assert.match((await old).text, /^Condition: none met/m);
    const before = await call('wait_for', { session: 1, pattern: 'made', from: '0' });
    assert.match(before.text, /^Condition: pattern met .* by the line: made$/m);
    process(1).ends(0);
    await typed;
  });

  it('while a write looks for a prompt, keeps it from typing as well', async () => {
    const { starts, call, hosted, process, clock } = scriptedTools();
    await starts({ cmd: 'su', tty: true });
    process(1).mode = () => {
      hosted(1).isControlledBy('person');
      return Promise.resolve(LINES);
    };
    const reply = call('write_stdin', { session: 1, chars: 'x', yield_time_ms: 0 });
    await settle();
    clock.advance(1_000);
    const { isError, text } = await reply;
    assert.equal(isError, true);
    assert.match(text, /Nothing was sent: a person has control/);
    assert.equal(process(1).input, '');
  });

  it('and gives it back is told as well, once', async () => {
    const { starts, call, hosted, process, clock } = scriptedTools();
    await starts({ cmd: 'bash', tty: true });
    hosted(1).isControlledBy('person');
    await call('list_sessions', {});
    hosted(1).isControlledBy('agent');
    const reply = call('write_stdin', { session: 1, chars: 'x', yield_time_ms: 0 });
    await settle();
    clock.advance(0);
    assert.match(
      (await reply).text,
      /^Warning: A person had control of session 1 \(bash\) and has given control back\./,
    );
    assert.equal(process(1).input, 'x');
    hosted(1).isControlledBy('person');
    hosted(1).isControlledBy('agent');
    assert.match((await call('list_sessions', {})).text, /^Warning: A person had control/);
    assert.doesNotMatch((await call('list_sessions', {})).text, /person/);
  });

  it('during a wait does not end it; the reply tells', async () => {
    const { starts, call, hosted, process } = scriptedTools();
    await starts();
    const reply = call('wait_for', { session: 1, exit: true });
    await settle();
    hosted(1).isControlledBy('person');
    process(1).ends(0);
    assert.match((await reply).text, /^Warning: A person has taken control/);
  });

  it('shows in the list', async () => {
    const { starts, call, hosted } = scriptedTools();
    await starts();
    hosted(1).isControlledBy('person');
    const { text, structured } = await call('list_sessions', {});
    assert.match(text, /Session 1: run \| running, .*a person has control/);
    assert.equal((structured['sessions'] as { controller: string }[])[0]?.controller, 'person');
  });
});
