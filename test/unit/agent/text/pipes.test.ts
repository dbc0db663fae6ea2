import assert from 'node:assert/strict';

import fc from 'fast-check';

import type { OutputStream } from '../../../../src/core/index.js';
import { digestOf, outputOf, type Piece } from './output.js';

const pipes = async (...pieces: Piece[]) => (await digestOf(outputOf(pieces, 'stdout'), { tty: false })).text;
const error = (text: string) => ['stderr', text] as const;

describe('output of pipes as lines', () => {
  const cases: readonly (readonly [name: string, pieces: readonly Piece[], text: string])[] = [
    ['line feeds alone', ['one\ntwo\n'], 'one\ntwo\n'],
    ['line ends of Windows', ['one\r\ntwo\r\n'], 'one\ntwo\n'],
    ['blanks and tabs', ['\tone  \n'], '\tone  \n'],
    [
      'a progress bar that is wider than a screen',
      [`${'#'.repeat(150)} 10\r${'#'.repeat(150)} 90\n`],
      `${'#'.repeat(150)} 90\n`,
    ],
    ['colours', ['\u001b[32mok\u001b[39m\n'], 'ok\n'],
    ['lines in the order in which they end', ['out', error('error\n'), 'put\n'], 'error\noutput\n'],
    ['two lines that are not finished', ['out', error('error')], 'outerror'.replace('t', 't\n')],
    [
      'characters that are split',
      [Buffer.from('é').subarray(0, 1), error('x\n'), Buffer.from('é\n').subarray(1)],
      'x\né\n',
    ],
    ['moves to other lines', ['one\u001b[5;1Htwo\u001b[2Jthree\n'], 'one\ntwo\nthree\n'],
    ['names with NUL between them', ['one.txt\0two', '.txt\0three.txt\n'], 'one.txt␀two.txt␀three.txt\n'],
    [
      'a long line of such names',
      ['a'.repeat(99_999), '\0', 'b'.repeat(9), '\n'],
      `${'a'.repeat(99_999)}␀${'b'.repeat(9)}\n`,
    ],
    ['a screen that is asked for', ['\u001b[?1049hone\u001b[?1049l\n'], 'one\n'],
  ];
  for (const [name, pieces, text] of cases) {
    it(`is readable: ${name}`, async () => assert.equal(await pipes(...pieces), text));
  }

  it('mixes no lines of two pipes, and loses none @property', async () => {
    const part = fc.tuple(
      fc.constantFrom<OutputStream>('stdout', 'stderr'),
      fc.constantFrom('a', 'bc', '\n', 'de\n', '', 'é', 'long '.repeat(100)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 40 }), async (parts) => {
        // The case of a character shows which pipe it came from.
        const pieces = parts.map(
          ([stream, text]) => [stream, stream === 'stderr' ? text.toUpperCase() : text] as const,
        );
        const text = await pipes(...pieces);
        for (const line of text.split('\n').filter((one) => !one.startsWith('['))) {
          assert.ok(line === line.toUpperCase() || line === line.toLowerCase(), line);
        }
        for (const stream of ['stdout', 'stderr'] as const) {
          const written = pieces.flatMap(([from, one]) => (from === stream ? [one] : [])).join('');
          const mine = (one: string) => (stream === 'stderr' ? one.toUpperCase() : one.toLowerCase()) === one;
          const letters = Array.from(text)
            .filter((one) => /[a-zé ]/i.test(one) && mine(one))
            .join('')
            .replaceAll(' ', '');
          assert.equal(letters, written.replaceAll(/[ \n]/g, ''));
        }
      }),
    );
  });

  it('does not wait for ever for a pipe that stays in the middle of a line', async () => {
    const lines = Array.from({ length: 1_000 }, (_, index) => error(`error ${index}\n`));
    const text = await pipes('dots ...', ...lines);
    assert.equal(text.split('\n').length, 1_002);
    assert.ok(text.indexOf('dots ...\n') < text.indexOf('error 300\n'));
  });

  it('knows where every line begins, though a character was split', async () => {
    const euro = Buffer.from('€');
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}, and a few words more\n`).join('');
    const pieces = [
      euro.subarray(0, 1),
      Buffer.concat([euro.subarray(1), Buffer.from(lines), euro.subarray(0, 2)]),
    ];
    const { text } = await digestOf(outputOf(pieces, 'stdout'), { tty: false, maxTokens: 256 });
    assert.match(text, /left out; read_output cursor="1\+\d+" has them \.\.\.\]/);
  });
});
