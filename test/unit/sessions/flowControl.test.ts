import assert from 'node:assert/strict';

import { STALL_MS } from '../../../src/core/index.js';
import { PIECE_CHARACTERS, REST_MS, WINDOW_CHARACTERS } from '../../../src/terminal/emulatorLink.js';
import { MARKED_BYTES, type PlayerMarks } from '../../../src/sessions/viewer/outputMarks.js';
import { SLICE_BYTES } from '../../../src/terminal/pacedWriter.js';
import type { Session } from '../../../src/sessions/list/session.js';
import { Emulator } from '../../support/emulator.js';
import type { FakeClock } from '../../support/fakeClock.js';
import type { ScriptedProcess } from '../../support/scriptedBackend.js';
import { KEY_ACTS_MS, turn, ViewerSetup } from '../../support/viewerSetup.js';

const CHUNK = `${'y'.repeat(98)}\r\n`.repeat(40);
/** Whether it has parsed, and what size it has. */
const QUESTIONS = /\u001b\[(?:\?\d{10}\$p|18t)/g;

/** A terminal with a real emulator that parses only on request. */
class Shown {
  readonly #view: Awaited<ReturnType<ViewerSetup['view']>>;
  readonly #emulator = new Emulator((answer) => this.#view.viewer.type(answer));
  #parsed = 0;

  readonly #clock: FakeClock;

  constructor(view: Awaited<ReturnType<ViewerSetup['view']>>, clock: FakeClock) {
    this.#view = view;
    this.#clock = clock;
  }

  get viewer() {
    return this.#view.viewer;
  }

  /** Everything that the terminal got, without our questions. */
  get text(): string {
    return this.#view.seen.text.replaceAll(QUESTIONS, '');
  }

  get unparsed(): number {
    return this.#view.seen.text.slice(this.#parsed).replaceAll(QUESTIONS, '').length;
  }

  /** Parses everything so far, and as much as may arrive meanwhile. */
  async parse(): Promise<void> {
    for (let parsed = 0; parsed <= WINDOW_CHARACTERS; parsed += PIECE_CHARACTERS) {
      const text = this.#view.seen.text.slice(this.#parsed);
      this.#parsed += text.length;
      await this.#emulator.write(text);
      await turn();
      this.#clock.advance(REST_MS);
    }
  }

  screen(): string {
    return this.#emulator.screen();
  }
}

describe('The flow of output into a terminal', () => {
  let setup: ViewerSetup;
  let session: Session;
  let process: ScriptedProcess;
  beforeEach(async () => {
    setup = new ViewerSetup();
    ({ session, process } = await setup.start());
  });

  const show = async (options: Parameters<ViewerSetup['view']>[1] = {}) =>
    new Shown(await setup.view(session, options), setup.clock);

  /** Prints until the process is paused, or until this many characters are exceeded. Returns the text. */
  const printUntilPaused = (most = Infinity): string => {
    let printed = '';
    while (!process.log.paused && printed.length < most) {
      process.prints(CHUNK);
      printed += CHUNK;
    }
    return printed;
  };

  /** Prints until the terminal has answered for the first time. Returns the text, which is shown. */
  const prove = async (shown: Shown): Promise<string> => {
    const printed = printUntilPaused(64 * 1024);
    await shown.parse();
    setup.clock.advance(100);
    await shown.parse();
    assert.equal(shown.text, printed);
    return printed;
  };

  it('holds the process back while the emulator does not parse, and loses nothing', async () => {
    const shown = await show();
    let printed = await prove(shown);
    for (let round = 0; round < 5; round++) {
      printed += printUntilPaused();
      assert.ok(process.log.paused);
      assert.ok(shown.unparsed <= WINDOW_CHARACTERS + SLICE_BYTES, String(shown.unparsed));
      await shown.parse();
      assert.ok(!process.log.paused);
    }
    process.ends(0);
    while (shown.unparsed > 0) {
      await shown.parse();
    }
    assert.ok(shown.text.startsWith(printed));
    assert.match(shown.screen(), /y{80}.*exit/);
  });

  it('is marked as a command, which a flood ends early, and its outcome at the end', async () => {
    const marks: PlayerMarks = {
      begin: '<begin>',
      end: (exitCode) => `<end ${exitCode ?? 'unknown'}>`,
      lateEnd: (exitCode) => `<late ${exitCode ?? 'unknown'}>`,
    };
    const shown = await show({ marks });
    let printed = '';
    while (printed.length <= MARKED_BYTES + PIECE_CHARACTERS) {
      printed += printUntilPaused(PIECE_CHARACTERS);
      await shown.parse();
    }
    process.ends(7);
    while (shown.unparsed > 0) {
      await shown.parse();
    }
    const found = [...shown.text.matchAll(/<.*?>/g)];
    assert.deepEqual(found.flat(), ['<begin>', '<end unknown>', '<late 7>']);
    assert.equal(found[0]?.index, 0);
    const early = found[1]?.index ?? 0;
    assert.ok(early >= MARKED_BYTES && early < MARKED_BYTES + CHUNK.length + SLICE_BYTES, String(early));
    assert.ok(shown.text.replaceAll(/<.*?>/g, '').startsWith(printed));
  });

  it('lets the process go on after a while, and says what the terminal has missed', async () => {
    const shown = await show();
    const before = await prove(shown);
    const printed = before + printUntilPaused();
    setup.clock.advance(STALL_MS - 1);
    assert.ok(process.log.paused);
    setup.clock.advance(1);
    assert.ok(!process.log.paused, 'nobody waits for a terminal that is asleep');
    printUntilPaused(8 * 1024 * 1024);
    process.prints('the end');
    assert.ok(shown.unparsed <= WINDOW_CHARACTERS + SLICE_BYTES);
    for (let round = 0; round < 10; round++) {
      await shown.parse();
    }
    assert.ok(shown.text.startsWith(printed));
    assert.match(shown.text, /of output is missing here/);
    assert.ok(shown.text.endsWith('the end'));
  });

  it('loses nothing where a busy machine lets the emulator answer only every few seconds, the first time as well', async () => {
    const shown = await show();
    let printed = '';
    for (let round = 0; round < 5; round++) {
      printed += printUntilPaused();
      setup.clock.advance(8_000);
      assert.ok(process.log.paused, 'the process is held back');
      assert.ok(shown.unparsed <= WINDOW_CHARACTERS + SLICE_BYTES, String(shown.unparsed));
      await shown.parse();
    }
    while (shown.unparsed > 0) {
      await shown.parse();
    }
    assert.equal(shown.text, printed);
  });

  it('is that of the faster one of two terminals', async () => {
    const one = await show();
    const two = await show();
    const printed = await prove(one);
    await two.parse();
    setup.clock.advance(100);
    await two.parse();
    let more = '';
    for (let round = 0; round < 4; round++) {
      more += printUntilPaused();
      await one.parse();
      assert.ok(!process.log.paused, 'one of them goes on');
    }
    assert.equal(one.text, printed + more);
    assert.ok(two.unparsed <= WINDOW_CHARACTERS + SLICE_BYTES);
    two.viewer.dispose();
    more += printUntilPaused();
    await one.parse();
    assert.equal(one.text, printed + more);
  });

  it('goes on when the terminal is closed in between', async () => {
    const shown = await show();
    await prove(shown);
    printUntilPaused();
    shown.viewer.dispose();
    assert.ok(!process.log.paused);
    await shown.parse();
    assert.equal(process.input, '');
  });

  it('keeps what the emulator says to us from the process, also where nobody may type', async () => {
    for (const origin of [{ kind: 'user' }, { kind: 'agent', name: 'Codex' }] as const) {
      ({ session, process } = await setup.start({ origin }));
      const [first, second] = [await show(), await show({ focused: false })];
      for (let round = 0; round < 3; round++) {
        printUntilPaused();
        await first.parse();
        await second.parse();
        setup.clock.advance(100);
      }
      assert.equal(process.input, '');
      assert.doesNotMatch(first.text + second.text, /what you type/);
    }
  });

  it('runs again in the same terminal', async () => {
    const shown = await show();
    await prove(shown);
    const printed = printUntilPaused();
    process.ends(0);
    while (shown.unparsed > 0) {
      await shown.parse();
    }
    setup.clock.advance(KEY_ACTS_MS);
    shown.viewer.type('r');
    await turn();
    const again = setup.backend.processes.at(-1);
    assert.ok(again !== undefined && again !== process);
    process = again;
    const more = printUntilPaused();
    await shown.parse();
    assert.ok(!process.log.paused);
    assert.ok(shown.text.includes(printed) && shown.text.endsWith(more.slice(-1000)));
  });
});
