import assert from 'node:assert/strict';

import { type ExecProcess, ProcessLog } from '../../../src/core/index.js';
import { modesNow, OutputModes } from '../../../src/terminal/outputModes.js';
import { ScreenText } from '../../../src/terminal/terminalText.js';
import { utf8 } from '../../support/bytes.js';
import { emulate } from '../../support/emulator.js';
import { usualSize } from '../../support/usualSize.js';

/** Sequences that give a fresh terminal a mode, with those that bring the mode back. */
const CHANGES: readonly (readonly [name: string, change: string, back: string])[] = [
  ['application cursor keys', '\x1b[?1h', '\x1b[?1l'],
  ['a hidden cursor', '\x1b[?25l', '\x1b[?25h'],
  ['no autowrap', '\x1b[?7l', '\x1b[?7h'],
  ['mouse reports', '\x1b[?1002h', '\x1b[?1002l'],
  ['the encoding of the mouse', '\x1b[?1006h', '\x1b[?1006l'],
  ['bracketed paste', '\x1b[?2004h', '\x1b[?2004l'],
  ['focus reports', '\x1b[?1004h', '\x1b[?1004l'],
  ['insert mode', '\x1b[4h', '\x1b[4l'],
  ['the keypad', '\x1b=', '\x1b>'],
  ['a character set', '\x1b(0', '\x1b(B'],
  ['the other character set', '\x0e', '\x0f'],
  ['the style of the cursor', '\x1b[5 q', '\x1b[0 q'],
  ['a scroll region', '\x1b[5;20r', '\x1b7\x1b[r\x1b8'],
  ['kitty keyboard', '\x1b[>5u', '\x1b[<8u'],
  ['modifyOtherKeys', '\x1b[>4;2m', '\x1b[>4m'],
  ['a colour of the palette', '\x1b]4;1;#ff0000\x07', '\x1b]104;1\x07'],
  ['the background', '\x1b]11;#000000\x07', '\x1b]111\x07'],
  ['the alternate screen', '\x1b[?1049h', '\x1b[?1049l'],
];

function textAfter(output: string): ScreenText {
  const text = new ScreenText(usualSize);
  text.write('pty', utf8(output), false);
  return text;
}

function evicted(...pieces: readonly string[]): string {
  const modes = new OutputModes();
  pieces.forEach((piece) => modes.take(utf8(piece)));
  return modes.sequences;
}

describe('The modes of a terminal', () => {
  for (const [name, change, back] of CHANGES) {
    it(`have ${name}, told from evicted output and brought back at the end`, () => {
      assert.equal(evicted(`text${change}text`), change);
      assert.ok(textAfter(change).finish().includes(back));
    });

    it(`do not have ${name} after a reset`, () => {
      assert.equal(evicted(`${change}\x1bc`), '');
      assert.equal(textAfter(`${change}\x1bc`).finish(), '');
    });
  }

  it('are told from evicted output wherever its pieces are cut', () => {
    for (const [name, change] of CHANGES) {
      for (let cut = 1; cut < change.length; cut++) {
        assert.equal(evicted(`a${change.slice(0, cut)}`, `${change.slice(cut)}b`), change, name);
      }
    }
  });

  it('have the colours after the last plain text', () => {
    assert.equal(evicted('\x1b[31m\x1b[0;1mbold\x1b[32m', 'green\x1b[4m'), '\x1b[1;32;4m');
  });

  it('have the pen that was saved with the cursor', () => {
    for (const [save, restore] of [
      ['\x1b7', '\x1b8'],
      ['\x1b[s', '\x1b[u'],
      ['\x1b[?1049h', '\x1b[?1049l'],
    ]) {
      assert.equal(textAfter(`\x1b[31m${save}\x1b[0;1m${restore}`).pen, '\x1b[31m', save);
    }
  });

  it('have no colours that the program has reset', () => {
    const set = '\x1b]4;1;#ff0000;2;#00ff00\x07\x1b]10;red\x07\x1b]11;blue\x07';
    assert.equal(evicted(`${set}\x1b]104;1\x07\x1b]110\x07`), '\x1b]4;2;#00ff00\x07\x1b]11;blue\x07');
    assert.equal(evicted(`${set}\x1b]104\x07`), '\x1b]10;red\x07\x1b]11;blue\x07');
    assert.equal(evicted(`${set}\x1b]104\x07\x1b]110\x1b\\\x1b]111\x07`), '');
  });

  it('are not those of other sequences, and not in strings', () => {
    assert.equal(evicted('\x1b[?1049$p\x1b[1h\x1b[>1h\x1b]0;[?1h\x07[?1h\x1b[?6n'), '');
  });

  it('are read from what a log has, up to a number, and go on from those after a gap', async () => {
    const log = new ProcessLog({ limits: { bytes: 12, chunks: 100 }, modes: new OutputModes() });
    log.appendOutput('pty', utf8('\x1b[?1h'));
    log.appendOutput('pty', utf8('\x1b[?2004h'));
    log.appendMissing(4, undefined, '\x1b[?1h');
    log.appendOutput('pty', utf8('\x1b[?1002h'));
    const process = {
      info: () => ({ output: log.stats }),
      subscribe: log.subscribe.bind(log),
    } as unknown as Pick<ExecProcess, 'info' | 'subscribe'>;
    assert.equal((await modesNow(process)).begin(), '\x1b[?1h\x1b[?1002h');
    assert.equal((await modesNow(process, 4)).begin(), '\x1b[?1h');
    log.appendExit({ exitCode: 0 });
    assert.equal((await modesNow(process)).isOn(1002), true);
    assert.equal(log.awaited, false, 'the subscriptions are over');
  });

  it('know one kind of mouse reports at a time', () => {
    assert.equal(evicted('\x1b[?1000h\x1b[?1003h'), '\x1b[?1003h');
    assert.equal(evicted('\x1b[?1003h\x1b[?1000l'), '');
  });

  it('leave synchronised output off in a replay, and end it at the end', () => {
    assert.equal(evicted('\x1b[?2026h'), '');
    assert.ok(textAfter('\x1b[?2026h').finish().includes('\x1b[?2026l'));
  });

  it('change nothing at the end if the program has changed nothing', () => {
    assert.equal(textAfter('text\r\n\x0f\x1b[?1000l\x1b(B\x1b[?25h\x1b[2Kmore').finish(), '');
  });

  it('leave the cursor where it is after origin mode that is over, and in the last row after one that is not', () => {
    assert.equal(textAfter('\x1b[?6h\x1b[?6l').finish(), '');
    assert.equal(textAfter('\x1b[?6h').finish(), '\x1b[?6l\x1b[10000H\x1b[0m');
  });

  it('can be taken from the terminal for a while', () => {
    const text = textAfter('\x1b[?1049h\x1b[?1000h\x1b[?1004h\x1b[31m');
    assert.equal(text.pause(), '\x1b[?1004l\x1b[?1049l\x1b[?1000l\x1b[?1004l\x1b[0m');
    assert.equal(text.resume() + text.report(true), '\x1b[?1049h\x1b[?1000h\x1b[31m\x1b[?1004h');
  });

  it('leave a terminal that equals a fresh one', async () => {
    const output = `\x1b[3g\x1b[10G\x1bH\x1b[31m${CHANGES.map(([, change]) => change).join('')}`;
    const text = new ScreenText(usualSize);
    const shown = text.write('pty', utf8(output), true).text;
    const probe = '\x1b[H\ta\tb\r\nlqk\x1b[Hxy\x1b[24;1H\n\n\x1b[Hend';
    const left = await emulate(`${shown}${text.finish()}\x1b[H\x1b[2J${probe}`);
    const fresh = await emulate(`\x1b[H\x1b[2J${probe}`);
    assert.equal(left.screen, fresh.screen);
  });
});
