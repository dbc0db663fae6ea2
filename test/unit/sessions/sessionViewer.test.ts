import assert from 'node:assert/strict';

import { ExecError, STALL_MS, type TerminalSize } from '../../../src/core/index.js';
import { WINDOW_CHARACTERS } from '../../../src/terminal/emulatorLink.js';
import { KEY_ACTS_MS, SIZE, turn, ViewerSetup } from '../../support/viewerSetup.js';

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
    assert.equal(seen.text, 'one two');
  });

  it('says what is no longer there', async () => {
    const { session, process } = await setup.start();
    process.prints('x'.repeat(3000));
    process.prints('rest');
    process.evictTo(4);
    const { seen } = await setup.view(session);
    assert.match(seen.text, /… 2\.9 KiB of older output is no longer kept …\u001b\[0m\r\nrest$/);
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
    assert.equal(seen.text, `\u001b[${SIZE.rows}S`.repeat(2) + '\u001b[7S\u001b[30P');
  });

  describe('queries', () => {
    it('are answered live, and not when they are replayed', async () => {
      const { session, process } = await setup.start();
      process.prints(`before${CURSOR_QUERY}`);
      const { seen } = await setup.view(session);
      assert.equal(seen.text, 'before');
      process.prints(`live${CURSOR_QUERY}`);
      assert.equal(seen.text, `beforelive${CURSOR_QUERY}`);
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

    it('are never answered twice, also by a terminal that lags behind and takes over', async () => {
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
    assert.deepEqual([one.seen.text, two.seen.text], ['\u001b[?1004h', '']);
    setup.viewers.focus(two.viewer);
    assert.deepEqual([one.seen.text, two.seen.text], ['\u001b[?1004h\u001b[?1004l', '\u001b[?1004h']);
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

  describe('end', () => {
    it('is said in a line, and Enter closes the terminal', async () => {
      const { session, process } = await setup.start();
      const { viewer, seen } = await setup.view(session);
      setup.clock.advance(120_000);
      process.ends(1);
      assert.ok(seen.text.includes('exited with code 1 after 2 m; press R to run again, Enter to close'));
      viewer.type('x');
      assert.equal(process.input, '');
      assert.equal(seen.closed, false);
      setup.clock.advance(KEY_ACTS_MS);
      viewer.type('\r');
      assert.equal(seen.closed, true);
    });

    it('is shown as well to those who come later', async () => {
      const { session, process } = await setup.start();
      process.prints('out');
      process.ends(0, 'SIGTERM');
      const { seen } = await setup.view(session);
      assert.match(seen.text, /^out.*ended by SIGTERM after less than 1 s/s);
    });

    it('of the process alone leaves the terminal to what still writes', async () => {
      const { session, process } = await setup.start();
      const { viewer, seen } = await setup.view(session);
      process.exits(7);
      assert.ok(!seen.text.includes('exited'), 'it is about to close');
      setup.clock.advance(1_000);
      assert.ok(seen.text.includes('exited with code 7; its output is still open'));
      viewer.type('r');
      assert.equal(process.input, 'r');
      process.prints('late');
      process.closes();
      assert.match(seen.text, /late.*exited with code 7 after less than 1 s; press R/s);
    });

    it('of the connection says why', async () => {
      const { session, process } = await setup.start();
      const { seen } = await setup.view(session);
      process.fails('the cable was cut');
      assert.ok(seen.text.includes('lost: the cable was cut; press R'));
    });

    it('of the session in the list takes the keys', async () => {
      const { session, process } = await setup.start();
      const { viewer, seen } = await setup.view(session);
      process.ends(0);
      setup.list.remove([session]);
      viewer.sessionRemoved();
      setup.clock.advance(KEY_ACTS_MS);
      viewer.type('r');
      setup.clock.advance(KEY_ACTS_MS);
      viewer.type('\r');
      await turn();
      assert.ok(seen.text.endsWith('\u001b[90mthis session was removed\u001b[0m\r\n'));
      assert.equal(seen.closed, false);
      assert.deepEqual(setup.backend.processes, [], 'nothing was started');
    });
  });

  describe('keys after the end', () => {
    const typedAhead = ['o', 'w', 'r', '\r', 'R'];

    it('do nothing while a person types ahead', async () => {
      const { session, process } = await setup.start();
      const { viewer, seen } = await setup.view(session);
      viewer.type('r');
      process.ends(1);
      for (const key of [...typedAhead, ...typedAhead, ...typedAhead]) {
        setup.clock.advance(300);
        viewer.type(key);
      }
      await turn();
      assert.equal(seen.closed, false);
      assert.equal(setup.backend.processes.length, 1);
    });

    it('do nothing in the first second', async () => {
      const { session, process } = await setup.start();
      const { viewer, seen } = await setup.view(session);
      process.ends(1);
      setup.clock.advance(999);
      viewer.type('\r');
      assert.equal(seen.closed, false);
      setup.clock.advance(499);
      viewer.type('\r');
      assert.equal(seen.closed, false, 'it follows another key too soon');
      setup.clock.advance(500);
      viewer.type('\r');
      assert.equal(seen.closed, true);
    });

    it('act after that even if the clock of the machine was set back', async () => {
      const { session, process } = await setup.start();
      const { viewer, seen } = await setup.view(session);
      process.ends(1);
      setup.clock.set(0);
      setup.clock.advance(KEY_ACTS_MS);
      viewer.type('\r');
      assert.equal(seen.closed, true);
    });
  });

  describe('R', () => {
    it('runs the same again in this terminal, as a session of its own', async () => {
      const { session, process } = await setup.start();
      const { viewer, seen } = await setup.view(session);
      process.prints('first');
      process.ends(1);
      setup.clock.advance(KEY_ACTS_MS);
      viewer.type('r');
      await turn();
      const second = setup.backend.processes[1];
      assert.ok(second);
      second.prints(`second${CURSOR_QUERY}`);
      assert.match(seen.text, /first.*running again: npm test.*second\u001b\[6n$/s);
      assert.equal(viewer.session.previousId, session.id);
      assert.deepEqual(setup.viewers.of(session), []);
      assert.equal(seen.name, 'npm test');
      viewer.type('typed');
      await turn();
      assert.equal(second.input, 'typed');
      assert.equal(setup.list.sessions.length, 2, 'the old one stays');
    });

    it('is not needed: a restart runs it again here once all of the last run is shown', async () => {
      const { session, process } = await setup.start();
      const { viewer, seen } = await setup.view(session);
      const again = viewer.runAgain();
      await turn();
      assert.equal(setup.backend.processes.length, 1);
      process.prints('last words');
      process.ends(0);
      const next = await again;
      assert.equal(next?.previousId, session.id);
      assert.equal(viewer.session, next);
      assert.match(seen.text, /last words.*running again: npm test/s);
    });

    it('is not held up by a leftover that keeps the output open', async () => {
      const { session, process } = await setup.start();
      const { viewer } = await setup.view(session);
      process.exits(0);
      const again = viewer.runAgain();
      setup.clock.advance(1_000);
      assert.equal((await again)?.previousId, session.id);
    });

    it('says why it could not, and can be pressed again', async () => {
      const { session, process } = await setup.start();
      const { viewer, seen } = await setup.view(session);
      process.ends(1);
      setup.backend.refusal = new ExecError({ kind: 'cwdNotFound', program: 'npm', cwd: '/gone' });
      setup.clock.advance(KEY_ACTS_MS);
      viewer.type('R');
      await turn();
      assert.ok(seen.text.includes('the directory /gone does not exist'));
      setup.backend.refusal = undefined;
      setup.clock.advance(KEY_ACTS_MS);
      viewer.type('R');
      await turn();
      assert.equal(setup.backend.processes.length, 2);
    });
  });

  describe('on a session that an agent controls', () => {
    const origin = { kind: 'agent', name: 'Codex' } as const;
    const explanations = (text: string) =>
      text.split('the agent Codex controls this session: what you').length - 1;

    it('sends nothing that is typed, and explains that now and then', async () => {
      const { session, process } = await setup.start({ origin });
      const { viewer, seen } = await setup.view(session);
      viewer.type('r');
      viewer.type('m\r\u0003');
      setup.clock.advance(59_999);
      viewer.type('x');
      await turn();
      assert.equal(process.input, '');
      assert.match(
        seen.text,
        /what you type is not sent\. Choose Take Control in the menu of this terminal, or in the Command Palette/,
      );
      assert.equal(explanations(seen.text), 1);
      setup.clock.advance(1);
      viewer.type('x');
      await turn();
      assert.equal(explanations(seen.text), 2);
      assert.deepEqual(process.signals, []);
    });

    it('lets the emulator answer the program', async () => {
      const { session, process } = await setup.start({ origin });
      const { viewer, seen } = await setup.view(session, { fresh: true });
      process.prints(CURSOR_QUERY);
      viewer.type('\u001b[1;2R');
      viewer.type('\u001b[1;2R');
      viewer.type('\u001b[?1;2c');
      await turn();
      assert.equal(
        process.input,
        '\u001b[1;2R\u001b[?1;2c',
        'one report was asked for; the other one is a key',
      );
      assert.equal(explanations(seen.text), 1);
    });

    it('sends what is typed while a person has control, and says who has', async () => {
      const { session, process } = await setup.start({ origin });
      const { viewer, seen } = await setup.view(session);
      const told: string[] = [];
      session.control?.onPersonTypes((text) => told.push(text));
      session.control?.giveTo('person');
      viewer.type('mine');
      await turn();
      assert.equal(process.input, 'mine');
      assert.match(
        seen.text,
        /you control this session now: what you type is sent, and the agent Codex is told/,
      );
      session.control?.giveTo('agent');
      viewer.type('not mine');
      await turn();
      assert.equal(process.input, 'mine');
      assert.deepEqual(told, ['mine']);
      assert.match(seen.text, /the agent Codex controls this session again/);
    });

    it('sends nothing into pipes, not even the signal of Ctrl+C or the end of input', async () => {
      const { session, process } = await setup.start({ origin, tty: false, pipeStdin: true });
      const { viewer, seen } = await setup.view(session);
      viewer.type('line\r\u0003\u0004\u001b[?1;2c');
      await turn();
      assert.equal(process.input, '');
      assert.deepEqual(process.signals, []);
      assert.equal(explanations(seen.text), 1);
      assert.ok(!seen.text.includes('line'));
      session.control?.giveTo('person');
      viewer.type('line\r');
      await turn();
      assert.equal(process.input, 'line\n');
    });

    it('takes R and Enter once it has ended, and runs it again for the person', async () => {
      const { session, process } = await setup.start({ origin });
      const { viewer } = await setup.view(session);
      process.ends(0);
      setup.clock.advance(KEY_ACTS_MS);
      viewer.type('r');
      await turn();
      viewer.type('mine');
      await turn();
      assert.equal(setup.backend.processes[1]?.input, 'mine');
    });
  });

  describe('input without a terminal', () => {
    it('is sent line by line, and shown', async () => {
      const { session, process } = await setup.start({ tty: false, pipeStdin: true });
      const { viewer, seen } = await setup.view(session);
      viewer.type('hello\r');
      await turn();
      assert.equal(process.input, 'hello\n');
      assert.ok(seen.text.includes('hello\r\n'));
      viewer.type('\u0004');
      await turn();
      assert.equal(process.input, 'hello\n<end>');
      viewer.type('\u0003');
      assert.deepEqual(process.signals, ['SIGINT']);
    });

    it('that nobody reads is refused once, with the reason', async () => {
      const { session, process } = await setup.start({ tty: false });
      const { viewer, seen } = await setup.view(session);
      viewer.type('a\rb\r');
      await turn();
      assert.equal(process.input, '');
      assert.equal(seen.text.split('this session takes no input').length, 2);
    });
  });
});
