import assert from 'node:assert/strict';
import { Terminal } from '@xterm/headless';

import { ExecError } from '../../../src/core/index.js';
import type { PlayerMarks } from '../../../src/sessions/viewer/index.js';
import { commandBegins, commandEnds, commandHadEnded } from '../../../src/terminal/index.js';
import { KEY_ACTS_MS, turn, ViewerSetup } from '../../support/viewerSetup.js';

const CURSOR_QUERY = '\u001b[6n';

/** The marks in a text as an emulator finds them, and between them the text of its first line at the last mark. */
async function marksIn(text: string): Promise<readonly string[]> {
  const emulator = new Terminal({ allowProposedApi: true });
  const found: string[] = [];
  emulator.parser.registerOscHandler(633, (mark) => {
    const line = emulator.buffer.active.getLine(0)?.translateToString(true) ?? '';
    found.push(...(line === '' ? [mark] : [line, mark]));
    return true;
  });
  await new Promise<void>((resolve) => emulator.write(text, resolve));
  emulator.dispose();
  return found;
}

describe('SessionViewer at the end', () => {
  let setup: ViewerSetup;
  beforeEach(() => {
    setup = new ViewerSetup();
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

    it('of a command is marked with its exit code after its output, and without one if it was lost', async () => {
      const command = { commandLine: 'make', nonce: 'n' };
      const marks: PlayerMarks = {
        begin: commandBegins(command),
        end: commandEnds,
        lateEnd: (exitCode) => commandHadEnded(command, exitCode),
      };
      const failed = await setup.start();
      const { seen } = await setup.view(failed.session, { marks });
      failed.process.prints('out');
      failed.process.ends(7);
      const lost = await setup.start();
      const other = await setup.view(lost.session, { marks });
      lost.process.fails('the cable was cut');
      assert.deepEqual(await marksIn(seen.text), ['A', 'B', 'E;make;n', 'C', 'E;make;n', 'out', 'D;7']);
      assert.deepEqual(await marksIn(other.seen.text), ['A', 'B', 'E;make;n', 'C', 'E;make;n', 'D']);
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

  describe('of a task', () => {
    for (const [code, signal] of [
      [3, undefined],
      [143, 'SIGTERM'],
    ] as const) {
      it(`closes it with the code ${code}, and names no keys`, async () => {
        const { session, process } = await setup.start();
        const { viewer, seen } = await setup.view(session, { endsWithSession: true });
        process.prints('out');
        assert.equal(seen.closed, false);
        process.ends(code, signal);
        assert.deepEqual([seen.closed, seen.exitCode], [true, code]);
        assert.match(seen.text, /^out.*(code 3|SIGTERM) after less than 1 s\u001b\[0m\r\n$/s);
        assert.equal(viewer.canRunAgain, false);
      });
    }

    it('closes it as a failure if the session is lost', async () => {
      const { session, process } = await setup.start();
      const { seen } = await setup.view(session, { endsWithSession: true });
      process.fails('the cable was cut');
      assert.deepEqual([seen.closed, seen.exitCode], [true, 1]);
      assert.match(seen.text, /lost: the cable was cut\u001b/);
    });
  });
});
