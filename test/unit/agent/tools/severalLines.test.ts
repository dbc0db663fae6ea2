import assert from 'node:assert/strict';

import { KEYS, LINES } from '../input/inputModes.js';
import { scriptedTools, settle } from '../scriptedHost.js';

/** A program that reads key by key, and a call that types into it. */
async function typing(
  chars: string,
  { keys = [], pastes = false }: { keys?: string[]; pastes?: boolean } = {},
) {
  const tools = scriptedTools();
  await tools.starts({ cmd: 'x', tty: true });
  const process = tools.process(1);
  process.mode = () => Promise.resolve(KEYS);
  process.prints(pastes ? '\u001b[?2004h> ' : '> ');
  const abort = new AbortController();
  const reply = tools.call(
    'write_stdin',
    { session: 1, chars, keys, yield_time_ms: 0 },
    { signal: abort.signal },
  );
  await settle();
  const passes = async (ms: number) => {
    tools.clock.advance(ms);
    await settle();
  };
  /** The part of the answer about lines that were not sent. */
  const unsent = async () => {
    await passes(0);
    return /the last .* not sent.*/.exec((await reply).text)?.[0];
  };
  return { ...tools, process, reply, passes, unsent, abort };
}

describe('Several lines of write_stdin', () => {
  it('are a paste for a program that takes pastes, and Enter when it has that', async () => {
    const { process, passes, unsent } = await typing('def f():\n  return 1\n', { pastes: true });
    const paste = '\u001b[200~def f():\r  return 1\r\u001b[201~';
    assert.equal(process.input, paste);
    process.prints('def f()');
    await passes(50);
    assert.equal(process.input, `${paste}\r`);
    assert.equal(await unsent(), undefined);
  });

  it('go one by one elsewhere, each when the program is quiet, and then the keys', async () => {
    const { process, passes, unsent, clock } = await typing('\n\n\n', { keys: ['Up'] });
    for (const sent of ['\r', '\r\r', '\r\r\r']) {
      assert.equal(process.input, sent);
      process.prints('question: ');
      await passes(49);
      assert.equal(process.input, sent);
      await passes(1);
    }
    assert.equal(process.input, '\r\r\r\u001b[A');
    assert.equal(await unsent(), undefined);
    assert.equal(clock.pendingTimers, 0);
  });

  it('go at once to a terminal that hands over whole lines', async () => {
    const { process, call, clock } = await typing('');
    process.mode = () => Promise.resolve(LINES);
    const reply = call('write_stdin', { session: 1, chars: 'a\nb\n', yield_time_ms: 0 });
    await settle();
    assert.equal(process.input, 'a\nb\n');
    clock.advance(0);
    await reply;
  });

  it('let others type in between, and end then', async () => {
    const { process, call, passes, unsent } = await typing('a\nb\nc\n');
    const other = call('write_stdin', { session: 1, chars: '\u0003', yield_time_ms: 0 }, { agent: 'b' });
    await settle();
    assert.equal(process.input, 'a\r\u0003');
    await passes(1_000);
    assert.match((await unsent()) ?? '', /the last 2 lines were not sent, because somebody else has typed\./);
    assert.equal(process.input, 'a\r\u0003');
    await other;
  });

  for (const [why, happens] of [
    ['a person has taken control', ({ hosted }) => hosted(1).isControlledBy('person')],
    [
      'the program asks for a secret',
      ({ process }) => (process.wait = () => Promise.resolve({ kind: 'secret' })),
    ],
    ['the command has ended', ({ process }) => process.ends(0)],
  ] as readonly (readonly [string, (setup: Awaited<ReturnType<typeof typing>>) => unknown])[]) {
    it(`end when ${why}`, async () => {
      const setup = await typing('a\nb\n');
      happens(setup);
      await setup.passes(1_000);
      await setup.passes(300);
      assert.equal(await setup.unsent(), `the last line was not sent, because ${why}.`);
      assert.equal(setup.process.input, 'a\r');
    });
  }

  it('end after 20 seconds, and with the call', async () => {
    const long = await typing('\n'.repeat(100));
    for (let second = 0; second < 25; second++) {
      await long.passes(1_000);
    }
    assert.equal(await long.unsent(), 'the last 80 lines were not sent, because it took 20 seconds.');
    assert.equal(long.process.input, '\r'.repeat(20));
    const { process, abort, reply, clock } = await typing('a\nb\n');
    abort.abort();
    assert.match((await reply).text, /cancelled/);
    assert.deepEqual([process.input, clock.pendingTimers], ['a\r', 0]);
  });
});
