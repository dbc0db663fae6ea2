import assert from 'node:assert/strict';

import { MARKED_BYTES, OutputMarks, type PlayerMarks } from '../../../src/sessions/viewer/outputMarks.js';
import { terminalText } from '../../../src/terminal/index.js';
import { usualSize } from '../../support/usualSize.js';

const MARKS: PlayerMarks = {
  begin: '<',
  end: (exitCode) => `${exitCode ?? '?'}>`,
  lateEnd: (exitCode) => `<<${exitCode ?? '?'}>`,
};

/** The text that a terminal gets for these pieces of output, and for the end. */
function marked(...pieces: readonly string[]): readonly string[] {
  const marks = new OutputMarks(MARKS);
  const begin = marks.begin();
  const terminal = terminalText(true, usualSize);
  const shown = pieces.map((piece) => {
    const bytes = Buffer.from(piece);
    return marks.pass(terminal.write('pty', bytes, true), bytes.byteLength, terminal.fullScreen).text;
  });
  return [begin, ...shown, marks.end(7)];
}

describe('The marks around an output', () => {
  const most = 'a'.repeat(MARKED_BYTES);

  it('stand before and after it, as long as it is short', () => {
    const marks = new OutputMarks(MARKS);
    assert.equal(marks.begin(), '<');
    assert.deepEqual(marks.pass({ text: most, safePlace: 1 }, MARKED_BYTES, false), {
      text: most,
      safePlace: 1,
    });
    assert.equal(marks.end(7), '7>');
  });

  it('end once within a long one, with an unknown outcome, which a second command has at the end', () => {
    const marks = new OutputMarks(MARKS);
    marks.begin();
    marks.pass({ text: most, safePlace: 1 }, MARKED_BYTES, false);
    assert.deepEqual(marks.pass({ text: 'ab', safePlace: 1 }, 2, false), { text: 'a?>b', safePlace: 3 });
    assert.deepEqual(marks.pass({ text: 'cd', safePlace: 1 }, 2, false), { text: 'cd', safePlace: 1 });
    assert.equal(marks.end(7), '<<7>');
  });

  it('stand in no sequence, between no characters that belong together, and not on the screen of a program', () => {
    const [, , ...shown] = marked(
      most,
      '\u001b]0;title',
      ' of it\u0007\u001b[?1049h',
      'drawn',
      '\u001b[?1049l',
      'e\u0301x',
      'y',
    );
    assert.deepEqual(shown, [
      '\u001b]0;title',
      ' of it\u0007\u001b[?1049h',
      'drawn',
      '\u001b[?1049l?>',
      'e\u0301x',
      'y',
      '<<7>',
    ]);
  });
});
