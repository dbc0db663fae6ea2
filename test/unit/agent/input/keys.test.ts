import assert from 'node:assert/strict';

import { keySequence, keyText } from '../../../../src/agent/input/keys.js';

const ESC = '\u001b';

describe('The keys of a terminal', () => {
  it('send what xterm sends', () => {
    const expected: readonly (readonly [key: string, sent: string])[] = [
      ['Up', `${ESC}[A`],
      ['Down', `${ESC}[B`],
      ['Right', `${ESC}[C`],
      ['Left', `${ESC}[D`],
      ['Home', `${ESC}[H`],
      ['End', `${ESC}[F`],
      ['Insert', `${ESC}[2~`],
      ['Delete', `${ESC}[3~`],
      ['PageUp', `${ESC}[5~`],
      ['PageDown', `${ESC}[6~`],
      ['Enter', '\r'],
      ['Tab', '\t'],
      ['S-Tab', `${ESC}[Z`],
      ['Escape', ESC],
      ['Space', ' '],
      ['Backspace', '\u007f'],
      ['F1', `${ESC}OP`],
      ['F4', `${ESC}OS`],
      ['F5', `${ESC}[15~`],
      ['F6', `${ESC}[17~`],
      ['F11', `${ESC}[23~`],
      ['F12', `${ESC}[24~`],
      ['C-a', '\u0001'],
      ['C-z', '\u001a'],
      ['C-C', '\u0003'],
      ['C-Space', '\u0000'],
      ['C-]', '\u001d'],
      ['M-x', `${ESC}x`],
      ['M-Enter', `${ESC}\r`],
      ['C-M-x', `${ESC}\u0018`],
      ['C-Left', `${ESC}[1;5D`],
      ['S-Up', `${ESC}[1;2A`],
      ['M-C-S-End', `${ESC}[1;8F`],
      ['C-Delete', `${ESC}[3;5~`],
      ['S-F3', `${ESC}[1;2R`],
      ['y', 'y'],
      ['-', '-'],
      ['M--', `${ESC}-`],
      ['é', 'é'],
      ['😀', '😀'],
    ];
    for (const [key, sent] of expected) {
      assert.equal(keySequence([key], false), sent, key);
    }
  });

  it('are those of the application mode where a program has switched it on, without modifiers alone', () => {
    const sent = ['Up', 'Down', 'Right', 'Left', 'Home', 'End'].map((key) => keySequence([key], true));
    assert.deepEqual(
      sent,
      Array.from('ABCDHF').map((final) => `${ESC}O${final}`),
    );
    assert.equal(keySequence(['C-Up', 'Delete', 'F1', 'Enter'], true), `${ESC}[1;5A${ESC}[3~${ESC}OP\r`);
  });

  it('have other usual names, and are pressed in their order', () => {
    assert.equal(
      keySequence(['ArrowDown', 'down', 'Return', 'Esc', 'Ctrl-C', 'alt+x', 'Shift-Tab', 'PgUp'], false),
      `${ESC}[B${ESC}[B\r${ESC}\u0003${ESC}x${ESC}[Z${ESC}[5~`,
    );
  });

  it('are refused if unknown, with the names of the known ones', () => {
    const wrong = [
      'Dwon',
      '',
      'ls',
      'C-',
      'F13',
      'S-a',
      'C-ß',
      'C-1',
      'C-Enter',
      '\n',
      '\u0003',
      '\u202e',
      '\u2028',
      'constructor',
      '__proto__',
    ];
    for (const key of wrong) {
      assert.throws(
        () => keySequence(['Up', key], false),
        (error: Error) =>
          error.message.startsWith(
            `Nothing was sent: there is no key ${JSON.stringify(key)}. Keys are Up, Down,`,
          ) && error.message.endsWith('Longer text goes into chars.'),
        key,
      );
    }
  });
});

describe('The keys of a pipe', () => {
  it('are those that stand for text, with a line feed for Enter', () => {
    assert.equal(keyText(['y', 'Space', 'Tab', 'é', 'Enter'], true), 'y \té\n');
  });

  it('are Ctrl-C and Ctrl-D for the caller to see to, alone', () => {
    assert.deepEqual([keyText(['C-c'], true), keyText(['C-d'], true)], ['\u0003', '\u0004']);
    for (const keys of [['Down'], ['Escape'], ['Backspace'], ['M-x'], ['y', 'C-c'], ['C-d', 'Enter']]) {
      assert.throws(
        () => keyText(keys, true),
        /has no terminal.*C-c alone as an interrupt; close=true.*tty=true/,
        keys.join(),
      );
    }
  });
});
