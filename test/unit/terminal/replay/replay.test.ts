import assert from 'node:assert/strict';

import type { IMarker } from '@xterm/headless';

import type { TerminalSize } from '../../../../src/core/index.js';
import { Replay } from '../../../../src/terminal/replay/replay.js';
import { RECORDINGS, RESIZES } from '../../../support/recordings/index.js';
import { usualSize } from '../../../support/usualSize.js';
import { cutRecording, freshEmulator } from './recordingCut.js';

const NARROW = { columns: 60, rows: 24 };

/** Outputs that leave a state, and later output that shows the state. */
const STATES: Readonly<Record<string, readonly [output: string, later: string]>> = {
  'rows that are empty': ['one\r\n\r\n\r\nfour\r\n\r\n', 'x'],
  'more rows than are kept': [`${'a line of words '.repeat(9)}\r\n`.repeat(900), 'x\r\n'],
  'erased cells with a background': ['\u001b[44m\u001b[2J\u001b[5;10Hblue\u001b[3X\u001b[K', 'x'],
  'a continued row': ['w'.repeat(200), 'x'],
  'a continued row whose end was erased': [`${'w'.repeat(90)}\u001b[A\u001b[70G\u001b[11X\u001b[B\r\n`, 'x'],
  'a continued row whose beginning was erased': [`${'w'.repeat(90)}\r\u001b[41m\u001b[3X\u001b[m\r\n`, 'x'],
  'a wide character that did not fit': [`${'w'.repeat(79)}漢字\r\n`, 'x'],
  'combining characters': ['e\u0301a\u0308 👩\u200d👧 \u001b[3G\u0301\r\n', 'x'],
  'the last column': [`\r\n\u001b[42m${'w'.repeat(80)}\u001b[31m`, 'next'],
  'the last column of a wide character': [`\r\n${'漢'.repeat(40)}`, 'next'],
  'colours': ['\u001b[1;38;2;1;2;3;48;5;200mbright\u001b[0;97;100;3;4;7;9;53m', 'x'],
  'a saved cursor': ['\u001b[7;30H\u001b[32m\u001b7\u001b[m\u001b[H', '\u001b8x'],
  'tab stops': ['\u001b[3g\u001b[11G\u001bH\u001b[31G\u001bH\r', '\tx\ty'],
  'a scroll region': ['one\r\n\u001b[5;20r\u001b[9;3H', 'x\u001b[20;1H\r\n\r\ny'],
  'origin mode': ['\u001b[5;20r\u001b[?6h\u001b[4;3H', 'x\u001b[Hy'],
  'insert mode': ['words\r\u001b[4h', 'x'],
  'line drawing': ['\u001b(0lqk', 'x'],
  'the alternate screen': [
    'one\r\n\u001b[35m\u001b[?1049h\u001b[Htwo\u001b[45m\u001b[K\r\nthree',
    '\u001b[?1049lx',
  ],
  'the alternate screen with a saved cursor': [
    '\u001b[?1049h\u001b[3;4H\u001b7\u001b[9;9H',
    '\u001b8x\u001b[?1049ly',
  ],
};

/** Lines with the marks of VS Code's shell integration. */
function markedLines(prompt: string, count: number): string {
  return Array.from(
    { length: count },
    (_, line) =>
      `\u001b]633;A\u0007${prompt}\u001b]633;B\u0007${'c'.repeat(60)}@\r\n\u001b]633;C\u0007output ${line}\r\n\u001b]633;D;0\u0007`,
  ).join('');
}

/** The marks that a fresh emulator gets from a replay, each with the two characters that its place is between. */
function placedMarks(output: string, size: TerminalSize, marks: boolean): readonly string[] {
  const replay = new Replay({ size: usualSize(), marks });
  replay.write(output);
  const text = replay.text(size, '');
  replay.dispose();
  const viewer = freshEmulator(size);
  const { terminal } = viewer;
  const found: { data: string; row: IMarker | undefined; column: number }[] = [];
  terminal.parser.registerOscHandler(633, (data) => {
    found.push({ data, row: terminal.registerMarker(0), column: terminal.buffer.active.cursorX });
    return true;
  });
  viewer.write(text);
  return found.map(({ data, row, column }) => {
    const line = terminal.buffer.active.getLine(row?.line ?? -1);
    const at = (place: number) => line?.getCell(place)?.getChars() ?? '';
    return `${at(column - 1)}${data}${at(column)}`;
  });
}

describe('A replay', () => {
  for (const name of ['bash-resized', 'build', 'emoji', 'htop', 'less', 'modes', 'tmux', 'vim-resized']) {
    it(`of half of ${name} is what an emulator shows that was there all the time`, () => {
      const bytes = RECORDINGS.get(name) ?? new Uint8Array();
      const half = Math.round(bytes.byteLength / 2);
      assert.deepEqual(cutRecording(bytes, RESIZES.get(name) ?? [], half, NARROW), { now: [], later: [] });
    });
  }

  for (const [name, [output, later]] of Object.entries(STATES)) {
    it(`brings back ${name}`, () => {
      for (const size of [usualSize(), NARROW, { columns: 120, rows: 30 }]) {
        const bytes = Buffer.from(output + later);
        const difference = cutRecording(bytes, [], Buffer.byteLength(output), size);
        assert.deepEqual(difference, { now: [], later: [] }, `${size.columns} columns`);
      }
    });
  }

  for (const columns of [40, 60, 80, 120]) {
    it(`at ${columns} columns has each command mark at its place in the text`, () => {
      const output = markedLines(`${'p'.repeat(70)}$ `, 3);
      const line = ['Ap', ' Bc', 'Co', 'D;0p'];
      const marks = placedMarks(output, { columns, rows: 24 }, true);
      assert.deepEqual(marks, [...line, ...line, ...line.slice(0, 3), 'D;0']);
    });
  }

  it('has no command marks unless they are wanted', () => {
    assert.deepEqual(placedMarks(markedLines('$ ', 3), usualSize(), false), []);
  });
});
