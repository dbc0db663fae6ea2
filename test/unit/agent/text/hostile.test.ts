import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Terminal } from '@xterm/headless';

import { ProcessLog, type ProcessInfo } from '../../../../src/core/index.js';
import { HeadlessTerminal } from '../../../../src/terminal/headless.js';
import { Pattern } from '../../../../src/terminal/pattern.js';
import { Emulator } from '../../../../src/agent/text/emulator.js';
import { suspicionOf } from '../../../../src/agent/text/middle.js';
import { pageForward, searchOutput, SessionScreen, START } from '../../../../src/agent/text/index.js';
import { FakeClock } from '../../../support/fakeClock.js';
import { digestOf, logOf, outputOf, PLENTY, textOf } from './output.js';

/** 64 KiB that take the emulator and the code around it seconds: wiping and entering screens, and scrolling. */
const SLOW = `${'\u001b[A\u001b[2J'.repeat(1_500)}\u001b[?1049h${'\u001b[60S'.repeat(3_000)}`;

/** The number of turns that others have while work is done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  const others = setInterval(() => {
    turns += 1;
  }, 0);
  try {
    await work;
  } finally {
    clearInterval(others);
  }
  return turns;
}

/** A terminal with an existing log; `more` is called before each read. */
function terminalOf(log: ProcessLog, more: () => void = () => undefined) {
  const info = (): ProcessInfo => ({
    processId: 'x',
    argv: ['x'],
    cwd: '/',
    tty: true,
    pipeStdin: false,
    state: 'running',
    startedAt: 0,
    output: log.stats,
    metadata: {},
  });
  const read = (...args: Parameters<ProcessLog['read']>) => {
    more();
    return log.read(...args);
  };
  return { info, read, onWake: log.onWake };
}

describe('hostile output', () => {
  it('leaves others their turns', async () => {
    const events = outputOf([SLOW]);
    const page = { from: START, tty: true, columns: 80, maxTokens: PLENTY };
    const screen = new SessionScreen(terminalOf(logOf(events)), { clock: new FakeClock() });
    assert.ok((await turnsDuring(digestOf(events))) > 5, 'a digest');
    assert.ok((await turnsDuring(pageForward(logOf(events), page))) > 5, 'a page');
    assert.ok((await turnsDuring(screen.snapshot())) > 5, 'a screen');
    screen.dispose();
  });

  it('ends the painting of a screen that is no longer wanted', async () => {
    const screen = new SessionScreen(terminalOf(logOf(outputOf([SLOW]))), {
      clock: new FakeClock(),
    });
    const snapshot = assert.rejects(screen.snapshot(), /not followed any more/);
    await new Promise(setImmediate);
    screen.dispose();
    await snapshot;
  });

  it('does not hold up a snapshot by writing faster than it is read', async () => {
    const log = new ProcessLog();
    const flood = Buffer.from('flood\r\n'.repeat(9_000));
    const screen = new SessionScreen(
      terminalOf(log, () => log.appendOutput('pty', flood)),
      { clock: new FakeClock() },
    );
    const { lines, incomplete } = await screen.snapshot();
    assert.deepEqual([lines[0], incomplete], ['flood', true]);
    screen.dispose();
  });

  it('is looked through for errors in time proportional to its lines', () => {
    assert.equal(suspicionOf(`error${' '.repeat(500_000)}x`), 'strong');
    assert.equal(suspicionOf(`${' '.repeat(500_000)}x error`), 'strong');
    assert.equal(suspicionOf('errors:   0'), 'none');
  });

  it('cannot make a full-screen program hold its line ends for ever', async () => {
    assert.equal(
      await textOf(`\u001b[?1049hrow${'\n'.repeat(60)}`),
      '[a full-screen program has the terminal; its screen so far:]\n[end of its screen]\n',
    );
  });

  it('is not cut inside a character when a found line is too long', async () => {
    for (const before of ['', 'x']) {
      const log = logOf(outputOf([`${before}${'😀'.repeat(2_000)}\n`], 'stdout'));
      const found = { pattern: new Pattern('😀', false), tty: false, columns: 80, maxTokens: 256 };
      const { text } = await searchOutput(log, found);
      assert.match(text, /😀 \[…[^\]]*\]\n$/u);
      assert.equal(Buffer.from(text).toString(), text);
    }
  });

  for (const tty of [true, false]) {
    it(`is not waited for ever if a string never ends, ${tty ? 'in a terminal' : 'in a pipe'}`, async () => {
      const stream = tty ? 'pty' : 'stdout';
      const short = await digestOf(outputOf(['a\u001bP', 'b'.repeat(60_000)], stream), { tty, final: false });
      assert.deepEqual(short.next, { afterSeq: 0, skipBytes: 1 });
      const long = await digestOf(outputOf(['a\u001bP', 'b'.repeat(70_000)], stream), { tty, final: false });
      assert.deepEqual([long.text, long.next], ['a', { afterSeq: 2, skipBytes: 0 }]);
    });
  }
});

/** How often the terminals of the emulators are written to or reset while work is done. */
async function terminalCallsDuring(work: () => Promise<unknown>): Promise<number> {
  const calls = [mock.method(HeadlessTerminal.prototype, 'write'), mock.method(Terminal.prototype, 'reset')];
  try {
    await work();
    return calls.reduce((sum, each) => sum + each.mock.callCount(), 0);
  } finally {
    calls.forEach((each) => each.mock.restore());
  }
}

describe('the emulator', () => {
  for (const mode of [47, 1047, 1049]) {
    it(`does nothing for full-screen programs that show nothing: mode ${mode}`, async () => {
      const flood = outputOf([`\u001b[?${mode}h\r\n\u001b[?${mode}l`.repeat(1_000)]);
      assert.equal(await terminalCallsDuring(() => digestOf(flood)), 0);
    });
  }

  it('does nothing for a screen before a reset', async () => {
    const log = logOf(outputOf(['x\u001bc'.repeat(1_000)]));
    const screen = new SessionScreen(terminalOf(log), { clock: new FakeClock() });
    assert.equal(await terminalCallsDuring(() => screen.snapshot()), 0);
    screen.dispose();
  });

  it('parses at once, by a method that is not in the public API of @xterm/headless', () => {
    const emulator = new Emulator({ columns: 80, rows: 24 });
    emulator.write('one\r\n\u001b[31mtwo');
    assert.deepEqual(emulator.screen().slice(0, 2), ['one', 'two']);
    emulator.dispose();
  });
});

describe('a small budget', () => {
  const passed = (from: number) =>
    Array.from({ length: 1_000 }, (_, index) => `✔ case ${from + index} (0.05ms)\n`).join('');
  const run = `${passed(0)}✖ case 1000 (0.4ms)\n${passed(1_001)}`;

  for (const maxTokens of [256, 300, 500, 1_000, 10_000]) {
    it(`keeps the one test of 2,001 that failed: ${maxTokens} tokens`, async () => {
      for (const tty of [true, false]) {
        const { text } = await digestOf(
          outputOf([tty ? run.replaceAll('\n', '\r\n') : run], tty ? 'pty' : 'stdout'),
          { tty, maxTokens },
        );
        assert.match(text, /^✖ case 1000 \(0\.4ms\)$/m);
        assert.ok(Buffer.byteLength(text) <= maxTokens * 4);
        assert.match(text, /✔ case 2000 \(0\.05ms\)\n$/);
      }
    });
  }
});
