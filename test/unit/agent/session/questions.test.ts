import assert from 'node:assert/strict';

import type { InputWait } from '../../../../src/core/index.js';
import { EVERYTHING } from '../../../support/scriptedBackend.js';
import { line } from '../replyParts.js';
import { scriptedTools, settle } from '../scriptedHost.js';

const QUESTION: InputWait = { kind: 'line', question: 'Proceed? (y/n)' };

describe('A program that asks a question', () => {
  async function asking(wait: InputWait | undefined = QUESTION) {
    const setup = scriptedTools();
    const { starts, call, process, clock } = setup;
    await starts({ cmd: 'apt', tty: true });
    let looks = 0;
    const asked: { wait: InputWait | undefined } = { wait };
    process(1).wait = () => {
      looks += 1;
      return Promise.resolve(asked.wait);
    };
    process(1).prints('Proceed? (y/n) ');
    return {
      ...setup,
      asked,
      looks: () => looks,
      /** Begins a wait for the exit. */
      waits: async (input: object = {}, agent = 'a') => {
        const reply = call('wait_for', { session: 1, ...input }, { agent });
        await settle();
        return { reply };
      },
      passes: async (ms: number) => {
        clock.advance(ms);
        await settle();
      },
    };
  }

  it('ends a wait after half a second of silence, and says so in the state', async () => {
    const { waits, passes, looks, call } = await asking();
    const { reply } = await waits();
    await passes(499);
    assert.equal(looks(), 0);
    await passes(1);
    const { text, structured } = await reply;
    assert.match(
      text,
      /\nState: running; it asks: "Proceed\? \(y\/n\)", for 0 s; nothing was typed\nCondition: none met: the program asks\n/,
    );
    assert.deepEqual(
      [structured['state'], structured['ending'], structured['asks']],
      ['running', 'asks', { question: 'Proceed? (y/n)', seconds: 0 }],
    );
    await passes(4_000);
    const read = await call('read_output', { session: 1 });
    assert.equal(
      line(read, 'State'),
      'running; it asks: "Proceed? (y/n)", for 4 s; nothing was typed',
      'the time counts from the silence on',
    );
    assert.match((await call('list_sessions', {})).text, /; it asks: "Proceed\? \(y\/n\)", for 4 s; nothing/);
  });

  it('ends a wait of each agent once, until something is printed or typed', async () => {
    const { waits, passes, process, hosted } = await asking();
    const first = await waits();
    await passes(500);
    assert.equal((await first.reply).structured['ending'], 'asks');
    const again = await waits({ timeout_ms: 9_000 });
    const other = await waits({}, 'b');
    await passes(500);
    assert.equal((await other.reply).structured['ending'], 'asks');
    await passes(8_500);
    assert.equal((await again.reply).structured['ending'], 'time');
    process(1).prints('\r\nReally? ');
    const next = await waits();
    await passes(500);
    assert.equal((await next.reply).structured['ending'], 'asks');
    hosted(1).isTypedByPerson('y');
    const typed = await waits();
    await passes(500);
    assert.equal(line(await typed.reply, 'State'), 'running; it asks: "Proceed? (y/n)", for 0 s');
  });

  it('does not end the wait of an agent while a person has control', async () => {
    const { waits, passes, hosted } = await asking();
    hosted(1).isControlledBy('person');
    const { reply } = await waits({ timeout_ms: 3_000 });
    await passes(3_000);
    assert.equal((await reply).structured['ending'], 'time');
  });

  it('meets a condition of its own, also if the agent knows the question', async () => {
    const { waits, passes, call } = await asking();
    await call('read_output', { session: 1 });
    const { reply } = await waits({ asks: true });
    await passes(500);
    assert.equal(line(await reply, 'Condition'), 'asks met');
    assert.deepEqual((await reply).structured['met'], ['asks']);
  });

  it('is looked at three times in the first two seconds of silence, and then every five', async () => {
    const { waits, passes, looks, asked, process } = await asking({ kind: 'none' });
    const { reply } = await waits();
    const seen: number[] = [];
    for (const ms of [499, 1, 500, 1_000, 4_999, 1, 5_000]) {
      await passes(ms);
      seen.push(looks());
    }
    assert.deepEqual(seen, [0, 1, 2, 3, 3, 4, 5]);
    asked.wait = QUESTION;
    process(1).prints('.');
    await settle();
    await passes(500);
    assert.equal((await reply).structured['ending'], 'asks');
  });

  it('is killed, and asks no more', async () => {
    const { waits, passes, process } = await asking();
    const first = await waits();
    await passes(500);
    await first.reply;
    const { reply } = await waits();
    process(1).ends(137, 'SIGKILL');
    const { text, structured } = await reply;
    assert.doesNotMatch(text, /it asks/);
    assert.deepEqual([structured['state'], structured['asks']], ['closed', undefined]);
  });

  it('has its words cut and cleaned, within quotes that it cannot end', async () => {
    const question = `\u001b[31m"; nothing was typed\u202e\n${'x'.repeat(10_000)}`;
    const { call } = await asking({ kind: 'line', question });
    const { text } = await call('read_output', { session: 1 });
    const [, shown = ''] = /^State: running; it asks: (".*"), for 0 s; nothing was typed$/m.exec(text) ?? [];
    const words: unknown = JSON.parse(shown);
    assert.ok(typeof words === 'string' && words.length <= 200, shown);
    assert.doesNotMatch(words, /[\u001b\u202e\n]/);
  });

  it('is no question without one, and where that cannot be told', async () => {
    for (const [wait, state] of [
      [{ kind: 'line' }, 'running; it waits for a line'],
      [{ kind: 'pipe' }, 'running; it reads its standard input'],
      [{ kind: 'keys' }, 'running'],
      [{ kind: 'none' }, 'running'],
      [undefined, 'running'],
    ] as const) {
      const { call, asked } = await asking();
      asked.wait = wait;
      assert.equal(line(await call('read_output', { session: 1 }), 'State'), state);
    }
  });

  it('of a machine that does not answer leaves the state as it is', async () => {
    const { call, process, passes } = await asking();
    process(1).wait = () => new Promise(() => undefined);
    const reply = call('read_output', { session: 1 });
    await settle();
    await passes(1_000);
    assert.equal(line(await reply, 'State'), 'running');
  });

  it('is not waited for where it can never be known', async () => {
    for (const [capabilities, input, why] of [
      [EVERYTHING, {}, 'without a terminal, as in'],
      [{ ...EVERYTHING, inputWait: false }, { tty: true }, 'on the machine of'],
    ] as const) {
      const { starts, call } = scriptedTools({ capabilities });
      await starts({ cmd: 'apt', ...input });
      const { isError, text } = await call('wait_for', { session: 1, asks: true });
      assert.ok(isError);
      assert.ok(
        text.startsWith(`wait_for was not called: whether a program asks cannot be told ${why} `),
        text,
      );
    }
  });
});
