import assert from 'node:assert/strict';

import {
  DEFAULT_TERMINAL_SIZE,
  ProcessLog,
  type ProcessInfo,
  type TerminalSize,
} from '../../../../src/core/index.js';
import { SessionScreen } from '../../../../src/agent/text/index.js';
import { FakeClock } from '../../../support/fakeClock.js';

/** A terminal with a log that its test writes. */
class FakeTerminal {
  readonly log: ProcessLog;
  size: TerminalSize = DEFAULT_TERMINAL_SIZE;
  reads = 0;

  constructor(limit = 1024 * 1024) {
    this.log = new ProcessLog({ limits: { bytes: limit, chunks: 50_000 } });
  }

  get onWake() {
    return this.log.onWake;
  }

  info(): ProcessInfo {
    return {
      processId: 'x',
      argv: ['x'],
      cwd: '/',
      tty: true,
      pipeStdin: false,
      state: 'running',
      startedAt: 0,
      size: this.size,
      output: this.log.stats,
      metadata: {},
    };
  }

  read(...args: Parameters<ProcessLog['read']>) {
    this.reads += 1;
    return this.log.read(...args);
  }

  prints(text: string): void {
    this.log.appendOutput('pty', Buffer.from(text));
  }
}

describe('the screen of a session', () => {
  it('shows what a person sees', async () => {
    const terminal = new FakeTerminal();
    const screen = new SessionScreen(terminal, { clock: new FakeClock() });
    terminal.prints('$ vi\r\n\u001b[?1049h\u001b[H\u001b[2Jhello\u001b[3;5Hthere');
    assert.deepEqual(await screen.snapshot(), {
      lines: ['hello', '', '    there'],
      cursor: { row: 2, column: 9 },
      alternate: true,
      incomplete: false,
    });
    terminal.prints('\u001b[?1049l$ ');
    assert.deepEqual((await screen.snapshot()).lines, ['$ vi', '$']);
    screen.dispose();
  });

  it('shows only the screen, not what has scrolled off', async () => {
    const terminal = new FakeTerminal();
    const screen = new SessionScreen(terminal, { clock: new FakeClock() });
    terminal.prints(Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\r\n'));
    const { lines, cursor } = await screen.snapshot();
    assert.equal(lines.length, 24);
    assert.equal(lines.at(-1), 'line 99');
    assert.deepEqual(cursor, { row: 23, column: 7 });
    screen.dispose();
  });

  it('counts the cells of emoji as the terminal of VS Code does', async () => {
    const terminal = new FakeTerminal();
    const screen = new SessionScreen(terminal, { clock: new FakeClock() });
    terminal.prints(
      '✅✅\u001b[1;5HX\r\n⏳⚡\u001b[2;5H|\u001b[3;1H' + '0'.repeat(79) + '✅next\u001b[3;1H1',
    );
    const { lines } = await screen.snapshot();
    assert.deepEqual(lines, ['✅✅X', '⏳⚡|', '1' + '0'.repeat(78), '✅next']);
    screen.dispose();
  });

  it('has the size that the process has', async () => {
    const terminal = new FakeTerminal();
    const screen = new SessionScreen(terminal, { clock: new FakeClock() });
    terminal.size = { columns: 20, rows: 5 };
    terminal.prints('\u001b[99;99Hx');
    assert.deepEqual((await screen.snapshot()).cursor, { row: 4, column: 19 });
    screen.dispose();
  });

  it('reads what is written while nobody looks, at a bounded rate', async () => {
    const clock = new FakeClock();
    const terminal = new FakeTerminal();
    const screen = new SessionScreen(terminal, { clock });
    for (let index = 0; index < 1_000; index++) {
      terminal.prints('x');
    }
    assert.equal(terminal.reads, 0);
    clock.advance(500);
    await new Promise(setImmediate);
    assert.equal(terminal.reads, 1);
    screen.dispose();
    terminal.prints('x');
    clock.advance(5_000);
    await new Promise(setImmediate);
    assert.equal(terminal.reads, 1);
  });

  it('knows that it is incomplete, until everything is painted anew', async () => {
    for (const repaint of ['\u001b[2J', '\u001b[H\u001b[J', '\u001b[?1049h', '\u001bc']) {
      const terminal = new FakeTerminal(1_000);
      const screen = new SessionScreen(terminal, { clock: new FakeClock() });
      for (let index = 0; index < 100; index++) {
        terminal.prints('a line that is evicted\r\n');
      }
      assert.equal((await screen.snapshot()).incomplete, true);
      terminal.prints('more');
      assert.equal((await screen.snapshot()).incomplete, true);
      terminal.prints(repaint);
      assert.equal((await screen.snapshot()).incomplete, false, JSON.stringify(repaint));
      screen.dispose();
    }
  });

  it('skips to the newest part of a flood', async () => {
    const terminal = new FakeTerminal(8 * 1024 * 1024);
    const screen = new SessionScreen(terminal, { clock: new FakeClock() });
    for (let index = 0; index < 400; index++) {
      terminal.prints(`${'flood '.repeat(1_500)}\r\n`);
    }
    terminal.prints('the end');
    const { lines, incomplete } = await screen.snapshot();
    assert.equal(lines.at(-1), 'the end');
    assert.equal(incomplete, true);
    screen.dispose();
  });

  it('answers all simultaneous callers, and none after its end', async () => {
    const terminal = new FakeTerminal();
    const screen = new SessionScreen(terminal, { clock: new FakeClock() });
    terminal.prints('x');
    const [one, other] = await Promise.all([screen.snapshot(), screen.snapshot()]);
    assert.deepEqual(one, other);
    screen.dispose();
    screen.dispose();
    await assert.rejects(screen.snapshot(), /not followed any more/);
  });
});
