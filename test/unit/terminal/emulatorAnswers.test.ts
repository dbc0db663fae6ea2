import assert from 'node:assert/strict';

import fc from 'fast-check';

import { EmulatorAnswers } from '../../../src/terminal/emulatorAnswers.js';

/** The answers of xterm.js, by question. */
const ANSWERS: Readonly<Record<string, string>> = {
  'DA1': '\u001b[?1;2c',
  'DA2': '\u001b[>0;276;0c',
  'DSR': '\u001b[0n',
  'DECXCPR': '\u001b[?12;40R',
  'DECRQM': '\u001b[?2026;2$y',
  'DECRQM of ANSI': '\u001b[4;2$y',
  'the size of the window': '\u001b[8;24;80t',
  'focus gained': '\u001b[I',
  'focus lost': '\u001b[O',
  'colour scheme': '\u001b[?997;1n',
  'kitty flags': '\u001b[?0u',
  'foreground': '\u001b]10;rgb:cccc/cccc/cccc\u001b\\',
  'a colour of the palette': '\u001b]4;1;rgb:cd/00/00\u0007',
  'DECRQSS': '\u001bP1$r0m\u001b\\',
  'XTVERSION': '\u001bP>|xterm.js(6.0.0)\u001b\\',
};

/** The input that keys and mice make. */
const KEYS: Readonly<Record<string, string>> = {
  'text': 'rm -rf x\r',
  'Ctrl+C': '\u0003',
  'Escape': '\u001b',
  'Alt+]': '\u001b]',
  'Alt+P': '\u001bP',
  'cursor up': '\u001b[A',
  'Ctrl+cursor up': '\u001b[1;5A',
  'F1': '\u001bOP',
  'F5': '\u001b[15~',
  'Shift+F3': '\u001b[1;2R',
  'a key of the kitty protocol': '\u001b[97;5u',
  'a click': '\u001b[<0;10;10M',
  'an old click': '\u001b[M !!',
  'a paste': '\u001b[200~\u001b[?1;2c\u001b[201~',
  'a paste with an end of line inside an answer': '\u001b]10;ls\r\u001b\\',
};

describe('the answers of an emulator', () => {
  const split = (input: string) => new EmulatorAnswers(() => 0).split(input);

  for (const [name, answer] of Object.entries(ANSWERS)) {
    it(`know ${name}`, () => {
      assert.deepEqual(split(answer), { answers: answer, typed: false });
    });
  }

  for (const [name, keys] of Object.entries(KEYS)) {
    it(`are not ${name}`, () => {
      assert.deepEqual(split(keys), { answers: '', typed: true });
    });
  }

  it('are found among movements of a mouse, which do not count as typed', () => {
    assert.deepEqual(split('\u001b[<35;10;10M\u001b[<35;11;10M\u001b[?1;2c'), {
      answers: '\u001b[?1;2c',
      typed: false,
    });
    assert.equal(split('\u001b[<35;10;10Mx').typed, true);
    assert.equal(split('\u001b[<64;10;10M').typed, true, 'a wheel');
  });

  it('are told from what is typed around them, in order @property', () => {
    const answers = Object.values(ANSWERS);
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...answers)),
        fc.array(fc.stringMatching(/^[a-z \r\u0003]*$/)),
        (given, typed) => {
          const input = given.map((answer, index) => (typed[index] ?? '') + answer).join('');
          const rest = typed.slice(0, given.length).join('');
          assert.deepEqual(split(input), { answers: given.join(''), typed: rest !== '' });
        },
      ),
    );
  });

  it('take a report of the cursor for F3 unless the program has asked for one', () => {
    let asked = 0;
    const answers = new EmulatorAnswers(() => asked);
    const report = '\u001b[1;2R';
    assert.deepEqual(answers.split(report), { answers: '', typed: true });
    asked = 2;
    assert.deepEqual(answers.split(report + report + report), { answers: report + report, typed: true });
    assert.deepEqual(answers.split(report), { answers: '', typed: true });
    asked = 3;
    assert.deepEqual(answers.split(report), { answers: report, typed: false });
  });
});
