import assert from 'node:assert/strict';

import { RECORDINGS, RESIZES } from '../../../support/recordings/index.js';
import { cutRecording } from './recordingCut.js';

const SIZES = [
  { columns: 60, rows: 24 },
  { columns: 80, rows: 24 },
  { columns: 120, rows: 30 },
];

/** How many of the 48 cuts of a recording are not exact: right after the cut, and after the rest. */
const INEXACT: Readonly<Record<string, readonly [now: number, later: number]>> = {
  // xterm.js does not reflow the cursor's line, so half of a wide character stays. Half cannot be written.
  emoji: [2, 0],
  // A link that is open at the cut ends there.
  links: [0, 6],
  titles: [0, 3],
  // The first character after the cut joins the last one before it.
  unicode: [0, 8],
};

/** Output of 2 MB: lines of many widths and colours, and an editor's screen at the end. */
function longOutput(): Uint8Array {
  const lines = Array.from({ length: 40_000 }, (_, line) => {
    const text = `word${line % 7} `.repeat(line % 16);
    return `\u001b[3${line % 8}m${line}\u001b[m ${text}\r\n`;
  });
  return Buffer.from(`${lines.join('')}\u001b[?1049h\u001b[?25l\u001b[2;20r\u001b[H\u001b[7mtop\u001b[m`);
}

function inexactCuts(name: string, bytes: Uint8Array, cuts: number): readonly [now: number, later: number] {
  let now = 0;
  let later = 0;
  for (const size of SIZES) {
    for (let cut = 1; cut <= cuts; cut++) {
      const place = Math.round((bytes.byteLength * cut) / cuts);
      const difference = cutRecording(bytes, RESIZES.get(name) ?? [], place, size);
      now += Math.sign(difference.now.length);
      later += Math.sign(difference.later.length);
    }
  }
  return [now, later];
}

describe('A replay at three sizes, cut at 16 places', () => {
  for (const [name, bytes] of RECORDINGS) {
    it(`of ${name} is what an emulator shows that was there all the time @all`, () => {
      assert.deepEqual(inexactCuts(name, bytes, 16), INEXACT[name] ?? [0, 0]);
    });
  }

  it('of 2 MB, cut at 4 places, is what an emulator shows that was there all the time @all', () => {
    assert.deepEqual(inexactCuts('', longOutput(), 4), [0, 0]);
  });
});
