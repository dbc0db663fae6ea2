import assert from 'node:assert/strict';

import { KeyModes } from '../../../src/terminal/index.js';
import { utf8 } from '../../support/bytes.js';

/** The mode after each of these pieces of output. */
function modes(...pieces: readonly string[]): readonly boolean[] {
  const mode = new KeyModes();
  return pieces.map((piece) => {
    mode.write(utf8(piece));
    return mode.applicationCursorKeys;
  });
}

describe('The mode of the cursor keys', () => {
  it('is what the program has set last, alone or with other modes', () => {
    assert.deepEqual(
      modes('a', '\u001b[?1h\u001b=', 'text', '\u001b[?1l', '\u001b[?7;1;25h', '\u001b[?1h\u001b[?1l'),
      [false, true, true, false, true, false],
    );
  });

  it('is kept apart from that of pasted text', () => {
    const modes = new KeyModes();
    const states = ['\u001b[?2004h', '\u001b[?2004;1h', '\u001b[?2004l', '\u001b[?2004h', '\u001bc'].map(
      (piece) => {
        modes.write(utf8(piece));
        return [modes.bracketedPaste, modes.applicationCursorKeys];
      },
    );
    assert.deepEqual(states, [
      [true, false],
      [true, true],
      [false, true],
      [true, true],
      [false, false],
    ]);
  });

  it('is found wherever its sequence is cut', () => {
    assert.deepEqual(modes('\u001b', '[', '?', '1', 'h'), [false, false, false, false, true]);
  });

  it('is not that of other modes, and not what strings contain', () => {
    assert.deepEqual(
      modes('\u001b[?1049h', '\u001b[1h', '\u001b[?1$p', '\u001b[>1h', '\u001b]0;[?1h\u0007', '[?1h'),
      Array<boolean>(6).fill(false),
    );
  });

  it('ends with a reset of the terminal, of either kind', () => {
    assert.deepEqual(modes('\u001b[?1h', '\u001bc', '\u001b[?1h', '\u001b[!p'), [true, false, true, false]);
  });

  it('stays as it was where output is missing', () => {
    const mode = new KeyModes();
    mode.write(utf8('\u001b[?1h\u001b]0;cut off'));
    mode.skip();
    assert.equal(mode.applicationCursorKeys, true);
    mode.write(utf8('\u001b[?1l'));
    assert.equal(mode.applicationCursorKeys, false);
  });
});
