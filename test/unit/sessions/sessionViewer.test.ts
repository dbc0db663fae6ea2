import assert from 'node:assert/strict';

import { DEFAULT_TERMINAL_SIZE, STALL_MS, type TerminalSize } from '../../../src/core/index.js';
import { WINDOW_CHARACTERS } from '../../../src/terminal/emulatorLink.js';
import { until } from '../../support/until.js';
import { SIZE, ViewerSetup } from '../../support/viewerSetup.js';

const CURSOR_QUERY = '\u001b[6n';

describe('SessionViewer', () => {
  let setup: ViewerSetup;
  beforeEach(() => {
    setup = new ViewerSetup();
  });

  it('replays what is there and goes on with what comes', async () => {
    const { session, process } = await setup.start();
    process.prints('one ');
    const { seen } = await setup.view(session);
    process.prints('two');
    assert.match(seen.text, /^one [^]*two$/);
  });

  it('replays at the size of the program where the terminal has not been drawn', async () => {
    const { session, process } = await setup.start();
    process.prints('\u001b[?1049htext');
    const { seen } = await setup.view(session, { size: undefined });
    assert.equal(seen.text.split('\r\n').length, DEFAULT_TERMINAL_SIZE.rows);
  });

  it('replays what this window has still to read of the output, too', async () => {
    const { session, process } = await setup.start();
    const info = process.info.bind(process);
    session.process.info = () => ({ ...info(), priorSeq: 2 });
    const viewing = setup.view(session);
    process.prints(`one${CURSOR_QUERY}`);
    process.prints(`two${CURSOR_QUERY}`);
    const { seen } = await viewing;
    await until(() => seen.text.includes('onetwo'));
    process.prints(CURSOR_QUERY);
    assert.equal(seen.text.split(CURSOR_QUERY).length, 2, 'the last question alone is asked');
  });

  it('replays no blank rows below, since a terminal that is drawn later may have fewer', async () => {
    const { session, process } = await setup.start();
    process.prints('text\r\n');
    const { seen } = await setup.view(session);
    assert.equal(seen.text, 'text\r\n\u001b[2;1H');
  });

  it('replays blank rows below what has left the screen at its top', async () => {
    const { session, process } = await setup.start();
    process.prints(`${'x\r\n'.repeat(SIZE.rows + 10)}\u001b[H\u001b[J`);
    const { seen } = await setup.view(session);
    assert.equal(seen.text.split('\r\n').length, SIZE.rows + 11);
  });

  it('says what is no longer there', async () => {
    const { session, process } = await setup.start();
    process.prints('x'.repeat(3000));
    process.prints('rest');
    process.evictTo(4);
    const { seen } = await setup.view(session);
    assert.match(seen.text, /… 2\.9 KiB of older output is no longer kept …\u001b\[0?m\r\nrest\u001b/);
  });

  it('shows a flood at its pace, and never stalls the session', async () => {
    const { session, process } = await setup.start();
    const { seen } = await setup.view(session);
    const chunk = 'y\r\n'.repeat(10_000);
    for (let count = 0; count < 200; count++) {
      process.prints(chunk);
    }
    const paused: boolean[] = [];
    process.log.onFlow((pause) => paused.push(pause));
    assert.ok(process.log.paused, 'a full window holds the child back');
    assert.ok(seen.text.length < WINDOW_CHARACTERS + 20_000, String(seen.text.length));
    setup.clock.advance(STALL_MS - 1);
    assert.ok(!process.log.paused);
    assert.ok(seen.text.includes('of output is missing here'), 'what the log had to let go is named');
    assert.ok(seen.text.endsWith(chunk));
  });

  it('lowers counts of repetitions to its size, which may change', async () => {
    const { session, process } = await setup.start();
    process.prints('\u001b[20000000S');
    const { seen, viewer } = await setup.view(session);
    process.prints('\u001b[20000000S');
    viewer.resize({ columns: 30, rows: 7 });
    process.prints('\u001b[20000000S\u001b[20000000P');
    assert.ok(seen.text.endsWith(`\u001b[${SIZE.rows}S\u001b[7S\u001b[30P`), JSON.stringify(seen.text));
  });

  describe('queries', () => {
    it('are answered live, and not when they are replayed', async () => {
      const { session, process } = await setup.start();
      process.prints(`before${CURSOR_QUERY}`);
      const { seen } = await setup.view(session);
      assert.match(seen.text, /^before/);
      assert.ok(!seen.text.includes(CURSOR_QUERY));
      process.prints(`live${CURSOR_QUERY}`);
      assert.ok(seen.text.endsWith(`live${CURSOR_QUERY}`));
    });

    it('are answered from the first one on if the session is fresh', async () => {
      const { session, process } = await setup.start();
      process.prints(CURSOR_QUERY);
      const { seen } = await setup.view(session, { fresh: true });
      assert.equal(seen.text, CURSOR_QUERY);
    });

    it('are answered by the one terminal that had the focus last', async () => {
      const { session, process } = await setup.start();
      const one = await setup.view(session);
      const two = await setup.view(session);
      const three = await setup.view(session, { focused: false });
      process.prints(`a${CURSOR_QUERY}`);
      assert.deepEqual(
        [one, two, three].map(({ seen }) => seen.text),
        ['a', `a${CURSOR_QUERY}`, 'a'],
      );
      setup.viewers.focus(one.viewer);
      process.prints(`b${CURSOR_QUERY}`);
      assert.deepEqual(
        [one, two, three].map(({ seen }) => seen.text),
        [`ab${CURSOR_QUERY}`, `a${CURSOR_QUERY}b`, 'ab'],
      );
      one.viewer.dispose();
      process.prints(CURSOR_QUERY);
      assert.equal(two.seen.text, `a${CURSOR_QUERY}b${CURSOR_QUERY}`);
    });

    it('are never answered twice, also by a slow terminal that takes over', async () => {
      const { session, process } = await setup.start();
      const one = await setup.view(session);
      const two = await setup.view(session, { focused: false });
      // Both have used up their share of this tick: the rest waits, and the first one is served first.
      process.prints('x'.repeat(40 * 1024) + CURSOR_QUERY);
      setup.viewers.focus(two.viewer);
      setup.clock.advance(1_000);
      const answers = [one, two].map(({ seen }) => seen.text.split(CURSOR_QUERY).length - 1);
      assert.equal(
        answers.reduce((sum, count) => sum + count),
        1,
        String(answers),
      );
    });
  });

  it('lets the emulator report its focus only to a program that it speaks to', async () => {
    const { session, process } = await setup.start();
    process.prints('\u001b[?1004h');
    const one = await setup.view(session);
    const two = await setup.view(session, { focused: false });
    const reports = () => [one, two].map(({ seen }) => seen.text.match(/\u001b\[\?1004[hl]/g));
    assert.deepEqual(reports(), [['\u001b[?1004h'], null]);
    setup.viewers.focus(two.viewer);
    assert.deepEqual(reports(), [['\u001b[?1004h', '\u001b[?1004l'], ['\u001b[?1004h']]);
  });

  describe('size', () => {
    it('is that of the terminal that had the focus last', async () => {
      const { session } = await setup.start();
      const one = await setup.view(session);
      const two = await setup.view(session, { focused: false, size: { columns: 50, rows: 5 } });
      two.viewer.resize({ columns: 40, rows: 4 });
      assert.ok(setup.resized.every(({ columns }) => columns === SIZE.columns));
      setup.viewers.focus(two.viewer);
      assert.deepEqual(setup.resized.at(-1), { columns: 40, rows: 4 });
      two.viewer.dispose();
      assert.deepEqual(setup.resized.at(-1), one.viewer.size);
    });

    it('may come later', async () => {
      const { session } = await setup.start();
      const { viewer } = await setup.view(session, { size: undefined as unknown as TerminalSize });
      assert.deepEqual(setup.resized, []);
      viewer.resize(SIZE);
      assert.deepEqual(setup.resized, [SIZE]);
    });
  });

  describe('name', () => {
    it('is the title of the program, or the command line', async () => {
      const { session, process } = await setup.start();
      const { seen } = await setup.view(session);
      assert.equal(seen.name, 'npm test');
      process.prints('\u001b]0;busy\u0007');
      assert.equal(seen.name, 'busy');
      process.prints('\u001b]2;\u001b\\');
      assert.equal(seen.name, 'npm test');
    });

    it('is what the user has called it, before all', async () => {
      const { session, process } = await setup.start();
      const { seen } = await setup.view(session);
      session.rename('My tests');
      process.prints('\u001b]0;busy\u0007');
      assert.equal(seen.name, 'My tests');
    });

    it('says how it ended', async () => {
      for (const [code, name] of [
        [0, '✓ npm test'],
        [1, '✗ npm test'],
      ] as const) {
        const { session, process } = await setup.start();
        const { seen } = await setup.view(session);
        process.ends(code);
        assert.equal(seen.name, name);
      }
    });
  });
});
