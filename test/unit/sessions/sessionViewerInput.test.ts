import assert from 'node:assert/strict';

import { KEY_ACTS_MS, turn, ViewerSetup } from '../../support/viewerSetup.js';

const CURSOR_QUERY = '\u001b[6n';

describe('SessionViewer and input', () => {
  let setup: ViewerSetup;
  beforeEach(() => {
    setup = new ViewerSetup();
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
      // With Num Lock, in the keyboard protocol of kitty.
      viewer.type('\u001b[114;129u');
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
