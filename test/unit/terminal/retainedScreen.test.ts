import assert from 'node:assert/strict';

import { type ExecEvent, Semaphore, type TerminalSize } from '../../../src/core/index.js';
import { type ReplayEnd, RetainedScreen } from '../../../src/terminal/retainedScreen.js';
import { ScreenText } from '../../../src/terminal/terminalText.js';
import { utf8 } from '../../support/bytes.js';
import { until } from '../../support/until.js';

const SIZE: TerminalSize = { columns: 80, rows: 24 };

/** A terminal that shows the retained output, whose numbers begin at 1, and what comes after it. */
class Shown {
  readonly text = new ScreenText(() => SIZE);
  readonly later: ExecEvent[] = [];
  readonly acknowledged: number[] = [];
  readonly screen: RetainedScreen;
  end: ReplayEnd | undefined;
  onLater: (event: ExecEvent) => void = () => undefined;

  constructor(through: number, unicode?: '6' | '11', turns = new Semaphore(1)) {
    this.screen = new RetainedScreen({
      text: this.text,
      turns,
      through,
      size: () => SIZE,
      marks: false,
      unicode,
      gapLine: () => 'GAP\r\n',
      tooSlowLine: () => 'TOO SLOW\r\n',
      imageMark: '[image]',
      acknowledge: (seq) => this.acknowledged.push(seq),
      ended: (end) => (this.end = end),
      later: (event) => {
        this.later.push(event);
        this.onLater(event);
      },
    });
  }

  prints(seq: number, text: string, size?: TerminalSize): this {
    this.screen.take({ type: 'output', seq, stream: 'pty', bytes: utf8(text), ...(size && { size }) });
    return this;
  }

  async ended(): Promise<string> {
    await until(() => this.end !== undefined);
    return this.end?.text.replace(/(?:\r\n)+/g, '|') ?? '';
  }
}

describe('The retained output of a terminal', () => {
  it('is shown once all of it is there, and later output is handed on in order', async () => {
    const shown = new Shown(2).prints(1, 'one ').prints(2, 'two').prints(3, 'three');
    shown.screen.take({ type: 'exited', seq: 4, status: { exitCode: 0 } });
    assert.match(await shown.ended(), /^one two\|\u001b\[1;8H/);
    assert.deepEqual(
      shown.later.map((event) => event.type),
      ['output', 'exited'],
    );
    assert.deepEqual(shown.acknowledged, [1, 2]);
    assert.equal(shown.end?.incomplete, false);
  });

  it('keeps the order of events that come while earlier ones are handed on', async () => {
    const shown = new Shown(1).prints(1, 'one').prints(2, 'two').prints(3, 'three');
    shown.onLater = () => {
      shown.onLater = () => undefined;
      shown.prints(4, 'four');
    };
    await shown.ended();
    assert.deepEqual(
      shown.later.map((event) => event.type === 'output' && event.seq),
      [2, 3, 4],
    );
  });

  it('counts cells as the terminal that shows it does', async () => {
    const place = async (unicode: '6' | '11') => {
      const text = await new Shown(1, unicode).prints(1, '\u{1f980}').ended();
      return text.slice(text.lastIndexOf('\u001b'));
    };
    assert.deepEqual(await Promise.all([place('6'), place('11')]), ['\u001b[1;2H', '\u001b[1;3H']);
  });

  it('has its counts lowered to the size that it was written for', async () => {
    const wide = { columns: 120, rows: 40 };
    const shown = new Shown(1).prints(1, `${'x'.repeat(110)}\r\u001b[110X\r\n`, wide);
    assert.doesNotMatch(await shown.ended(), /x/);
  });

  it('has no modes from before a gap that it knows the modes after', async () => {
    const shown = new Shown(3).prints(1, '\u001b[?1049h\u001b[?1000h');
    shown.screen.take({ type: 'gap', fromSeq: 2, throughSeq: 2, chunks: 1, modes: '\u001b[?2004h' });
    shown.prints(3, 'line');
    const text = await shown.ended();
    assert.match(text, /GAP.*line.*\u001b\[\?2004h/s);
    assert.doesNotMatch(text, /1049h|1000h/);
  });

  it('hands on an exit and an end that belong to it', async () => {
    const shown = new Shown(3).prints(1, 'text');
    shown.screen.take({ type: 'exited', seq: 2, status: { exitCode: 0 } });
    shown.screen.take({ type: 'closed', seq: 3 });
    assert.match(await shown.ended(), /^text/);
    assert.deepEqual(
      shown.later.map((event) => event.type),
      ['exited', 'closed'],
    );
  });

  it('is drawn at the sizes that it was written for', async () => {
    const shown = new Shown(2)
      .prints(1, `${'x'.repeat(30)}\r\n`, { columns: 20, rows: 24 })
      .prints(2, '\u001b[A\ry\r\n', { columns: 40, rows: 24 });
    assert.match(await shown.ended(), /^yx{29}\|/);
  });

  it('has no scroll region from before another size', async () => {
    const shown = new Shown(2).prints(1, '\u001b[2;5r', { columns: 40, rows: 24 }).prints(2, 'x', SIZE);
    assert.doesNotMatch(await shown.ended(), /\u001b\[2;5r/);
  });

  it('says what is missing, and begins with the modes after that', async () => {
    const shown = new Shown(2);
    shown.screen.take({
      type: 'gap',
      fromSeq: 1,
      throughSeq: 1,
      chunks: 1,
      modes: '\u001b[?1049h\u001b[?1000h',
    });
    shown.prints(2, 'screen');
    const text = await shown.ended();
    assert.match(text, /^GAP.*\u001b\[\?1049h.*screen.*\u001b\[\?1000h/s);
    assert.equal(shown.end?.incomplete, true);
  });

  it('leaves out images, and marks them', async () => {
    const shown = new Shown(1).prints(
      1,
      'a\u001bPq#0~~\u001b\\b\u001b]1337;File=inline=1:AAAA\u0007c\u001b_Ga=T,f=24;AAAA\u001b\\d\u001b_Gm=0;AAAA\u001b\\e\u001b]1337;SetMark\u0007f',
    );
    assert.match(await shown.ended(), /^a\[image\]b\[image\]c\[image\]def/);
    assert.equal(shown.text.write('pty', utf8('\u001bPq~\u001b\\'), true).text, '\u001bPq~\u001b\\');
  });

  it('ends a string that goes on in later output', async () => {
    const shown = new Shown(1).prints(1, 'a\u001b]0;tit').prints(2, 'le\u0007b');
    assert.match(await shown.ended(), /^a\|/);
    assert.equal(shown.text.write('pty', utf8('le\u0007b'), true).text, 'b');
  });

  it('holds back half a character and half a sequence', async () => {
    const shown = new Shown(1);
    const bytes = utf8('aé\u001b[31mb');
    shown.screen.take({ type: 'output', seq: 1, stream: 'pty', bytes: bytes.subarray(0, 2) });
    assert.match(await shown.ended(), /^a\|/);
    assert.equal(shown.text.write('pty', bytes.subarray(2), true).text, 'é\u001b[31mb');
  });

  it('is given up if it takes too long, with the modes of the program', async () => {
    const shown = new Shown(2).prints(1, '\u001b[?1000h').prints(2, '\u001b[24S'.repeat(200_000));
    assert.equal(await shown.ended(), 'TOO SLOW|\u001b[?1000h');
    assert.equal(shown.end?.incomplete, true);
  });

  it('waits for its turn among others', async () => {
    const turns = new Semaphore(1);
    const order: number[] = [];
    const shown = [0, 1, 2].map((place) => {
      const one = new Shown(2, undefined, turns).prints(1, 'x\r\n'.repeat(60_000));
      one.onLater = () => order.push(place);
      return one.prints(2, 'y').prints(3, 'z');
    });
    await Promise.all(shown.map((one) => one.ended()));
    assert.deepEqual(order, [0, 1, 2]);
  });

  it('leaves the event loop its turns', async () => {
    const shown = new Shown(1).prints(1, '\u001b[24S'.repeat(100_000));
    let turns = 0;
    const count = () => {
      turns += 1;
      if (shown.end === undefined) {
        setImmediate(count);
      }
    };
    setImmediate(count);
    await shown.ended();
    assert.ok(turns >= 10, String(turns));
  });
});
