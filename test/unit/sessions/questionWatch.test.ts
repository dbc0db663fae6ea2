import assert from 'node:assert/strict';

import type { InputWait } from '../../../src/core/index.js';
import { SessionList, watchQuestions } from '../../../src/sessions/list/index.js';
import { FakeClock } from '../../support/fakeClock.js';
import { BASE_SERVER, EVERYTHING, ScriptedBackend } from '../../support/scriptedBackend.js';

const PROCEED: InputWait = { kind: 'line', question: 'Proceed? (y/n)' };

function setUp(capabilities = EVERYTHING) {
  const clock = new FakeClock();
  const backend = new ScriptedBackend(clock, { capabilities });
  const list = new SessionList({ clock });
  const watch = watchQuestions(list, clock);
  const start = async (tty = true) => {
    const session = await list.start(
      { id: 'local', label: 'This machine', backend },
      { argv: ['x'], cwd: '/', env: {}, tty, origin: { kind: 'user' } },
    );
    const process = backend.processes.at(-1) ?? assert.fail();
    const looks: number[] = [];
    const answers: ((wait: InputWait | undefined) => void)[] = [];
    const script = { looks, answers, wait: undefined as InputWait | 'late' | undefined };
    process.wait = () => {
      looks.push(clock.now());
      const { wait } = script;
      return wait === 'late' ? new Promise((resolve) => answers.push(resolve)) : Promise.resolve(wait);
    };
    const asked = () => session.snapshot().asks?.question;
    return { session, process, script, asked };
  };
  /** Moves on in small steps, so that answers come in time. */
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) {
      clock.advance(100);
      await new Promise(setImmediate);
    }
  };
  return { clock, list, watch, start, pass };
}

describe('The watch on questions', () => {
  it('looks three times after the last output, then less and less often, and anew after new output', async () => {
    const { start, pass } = setUp();
    const { process, script } = await start();
    await pass(30_000);
    assert.deepEqual(script.looks, [500, 1_000, 2_000, 7_000, 12_000, 17_000, 22_000, 27_500]);
    await pass(570_000);
    const [before = 0, last = 0] = script.looks.slice(-2);
    assert.ok(last - before > 60_000 && last - before < 150_000);
    script.looks.length = 0;
    process.prints('more\n');
    await pass(2_000);
    assert.deepEqual(script.looks, [600_500, 601_000, 602_000]);
  });

  it('leaves a session alone that writes all the time', async () => {
    const { start, pass } = setUp();
    const { process, script } = await start();
    for (let written = 0; written < 30; written += 1) {
      process.prints('.');
      await pass(400);
    }
    assert.deepEqual(script.looks, []);
    await pass(500);
    assert.equal(script.looks.length, 1);
  });

  it('shows a question until there is output, none any more, or the end', async () => {
    const { start, pass, list } = setUp();
    const { session, process, script, asked } = await start();
    let changes = 0;
    list.onDidChange(() => (changes += 1));
    script.wait = PROCEED;
    await pass(500);
    assert.equal(asked(), 'Proceed? (y/n)');
    const { since } = session.asks ?? assert.fail();
    await pass(10_000);
    assert.deepEqual([session.asks?.since, changes], [since, 1], 'seen again, it is the same');
    process.prints('y\r\n');
    assert.equal(asked(), undefined);
    await pass(500);
    assert.equal(asked(), 'Proceed? (y/n)');
    script.wait = { kind: 'none' };
    await pass(500);
    assert.equal(asked(), undefined);
    script.wait = PROCEED;
    await pass(5_000);
    assert.equal(asked(), 'Proceed? (y/n)');
    process.ends(0);
    assert.equal(asked(), undefined);
    const { length } = script.looks;
    await pass(20_000);
    assert.equal(script.looks.length, length);
  });

  it('shows one clean line of bounded length', async () => {
    const { start, pass } = setUp();
    const { script, asked } = await start();
    script.wait = { kind: 'line', question: `\u001b[31mGo\n on?\u202e ${'x'.repeat(10_000)}` };
    await pass(500);
    assert.match(asked() ?? '', /^\[31mGo on\? x+…$/);
    assert.equal(asked()?.length, 200);
  });

  it('shows only questions: no keys, no line without one, no secret', async () => {
    const { start, pass } = setUp();
    const { script, asked } = await start();
    for (const kind of ['line', 'secret', 'keys', 'pipe', 'none'] as const) {
      script.wait = { kind };
      await pass(5_000);
      assert.equal(asked(), undefined, kind);
    }
  });

  it('does not believe an answer that output has overtaken, and asks once at a time', async () => {
    const { start, pass } = setUp();
    const { process, script, asked } = await start();
    script.wait = 'late';
    await pass(500);
    process.prints('working\n');
    await pass(20_000);
    assert.deepEqual(script.looks, [500]);
    script.answers[0]?.(PROCEED);
    await pass(200);
    assert.equal(asked(), undefined);
    assert.deepEqual(script.looks.slice(1), [20_600]);
  });

  it('claims nothing of a machine that cannot be asked, and goes on', async () => {
    const { start, pass } = setUp();
    const { process, script, asked } = await start();
    process.wait = () => Promise.reject(new Error('cut'));
    await pass(500);
    assert.equal(asked(), undefined);
    process.wait = () => Promise.resolve(PROCEED);
    await pass(500);
    assert.equal(asked(), 'Proceed? (y/n)');
    assert.deepEqual(script.looks, []);
  });

  it('looks at terminals only, only where it can be told, and no more after its end', async () => {
    const pipes = setUp();
    const { script } = await pipes.start(false);
    await pipes.pass(5_000);
    assert.deepEqual(script.looks, []);
    const other = setUp({ ...BASE_SERVER, list: true });
    const onOther = await other.start();
    await other.pass(5_000);
    assert.deepEqual(onOther.script.looks, []);
    const closed = setUp();
    const late = await closed.start();
    late.script.wait = 'late';
    await closed.pass(500);
    closed.watch.dispose();
    late.script.answers[0]?.(undefined);
    await closed.pass(20_000);
    assert.equal(late.script.looks.length, 1);
    late.session.setQuestion('Still there?');
    late.process.ends(0);
    assert.equal(late.asked(), undefined, 'an ended session asks nothing');
  });
});
