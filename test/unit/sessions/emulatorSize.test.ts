import assert from 'node:assert/strict';

import { Terminal } from '@xterm/headless';

import { DRAWN_MS } from '../../../src/sessions/viewer/emulatorSize.js';
import { BASE_SERVER } from '../../support/scriptedBackend.js';
import { KEY_ACTS_MS, SIZE, turn, ViewerSetup } from '../../support/viewerSetup.js';

const QUESTION = '\u001b[18t';
/** The answer of an emulator with 12 rows of 91 columns. */
const ANSWER = '\u001b[8;12;91t';
const ANSWERED = { columns: 91, rows: 12 };

describe('The size of an emulator', () => {
  let setup: ViewerSetup;
  beforeEach(() => {
    setup = new ViewerSetup();
  });

  it('is asked for when the terminal was drawn, until VS Code and the emulator say the same', async () => {
    const { session } = await setup.start();
    const { viewer, seen } = await setup.view(session);
    setup.clock.advance(DRAWN_MS - 1);
    assert.equal(seen.text, '');
    setup.clock.advance(1);
    assert.equal(seen.text, QUESTION);
    viewer.type(ANSWER);
    assert.deepEqual(viewer.size, ANSWERED);
    assert.deepEqual(setup.resized.at(-1), ANSWERED);
    setup.clock.advance(DRAWN_MS);
    viewer.type(ANSWER);
    setup.clock.advance(60_000);
    assert.equal(seen.text, QUESTION + QUESTION);
  });

  it('is asked for again each time that the terminal is shown', async () => {
    const { session } = await setup.start();
    const { viewer, seen } = await setup.view(session);
    setup.clock.advance(DRAWN_MS);
    viewer.type(`\u001b[8;${SIZE.rows};${SIZE.columns}t`);
    viewer.drawn();
    setup.clock.advance(DRAWN_MS);
    viewer.type(ANSWER);
    assert.equal(seen.text, QUESTION + QUESTION);
    assert.deepEqual(setup.resized.at(-1), ANSWERED);
  });

  it('reaches the program only as the answer to a question of its own', async () => {
    const { session, process } = await setup.start();
    const { viewer } = await setup.view(session, { fresh: true });
    viewer.type(ANSWER);
    await turn();
    assert.equal(process.input, ANSWER, 'nobody else has asked yet');
    setup.clock.advance(DRAWN_MS);
    process.prints(QUESTION);
    viewer.type(`typed ${ANSWER}${ANSWER}before`);
    await turn();
    assert.equal(process.input, `${ANSWER}typed ${ANSWER}before`);
  });

  it('does not become input of a session that an agent controls, nor a reason to explain that', async () => {
    const { session, process } = await setup.start({ origin: { kind: 'agent', name: 'Codex' } });
    const { viewer, seen } = await setup.view(session);
    setup.clock.advance(DRAWN_MS);
    viewer.type(ANSWER);
    await turn();
    assert.equal(process.input, '');
    assert.equal(seen.text, QUESTION);
  });

  it('is not taken for a key press', async () => {
    const { session, process } = await setup.start();
    const { viewer, seen } = await setup.view(session);
    process.ends(0);
    await turn();
    setup.clock.advance(KEY_ACTS_MS);
    viewer.drawn();
    setup.clock.advance(DRAWN_MS);
    viewer.type(ANSWER);
    viewer.type('\r');
    assert.ok(seen.closed, 'the Return comes alone');
  });

  it('is not asked for in the middle of a string', async () => {
    const { session, process } = await setup.start();
    const { viewer, seen } = await setup.view(session, { fresh: true });
    process.prints('\u001bPqpicture');
    setup.clock.advance(DRAWN_MS);
    process.prints('picture\u001b\\');
    assert.equal(seen.text, '\u001bPqpicturepicture\u001b\\');
    viewer.drawn();
    setup.clock.advance(DRAWN_MS);
    assert.ok(seen.text.endsWith(QUESTION));
  });

  it('is asked for nowhere else: without a terminal, with a fixed size, after the terminal was closed', async () => {
    const pipes = await setup.view((await setup.start({ tty: false })).session);
    const closed = await setup.view((await setup.start()).session);
    closed.viewer.dispose();
    const fixedSetup = new ViewerSetup(BASE_SERVER);
    const fixed = await fixedSetup.view((await fixedSetup.start()).session);
    fixedSetup.clock.advance(DRAWN_MS);
    setup.clock.advance(DRAWN_MS);
    for (const { seen } of [pipes, closed, fixed]) {
      assert.ok(!seen.text.includes(QUESTION));
    }
  });

  it('is what a real emulator answers', async () => {
    const terminal = new Terminal({
      cols: 91,
      rows: 12,
      allowProposedApi: true,
      windowOptions: { getWinSizeChars: true },
    });
    let said = '';
    terminal.onData((data) => (said += data));
    await new Promise<void>((resolve) => terminal.write(QUESTION, resolve));
    assert.equal(said, ANSWER);
    terminal.dispose();
  });
});
