import assert from 'node:assert/strict';

import { english } from '../../../src/core/index.js';
import { endLine, evictionNote, gapLine, missingSentence } from '../../../src/sessions/words/evictionNote.js';
import { evictedOutput, snapshot } from './snapshots.js';

describe('the note before output that is missing in part', () => {
  it('is empty if all output is there', () => {
    assert.equal(evictionNote(snapshot().output, english), '');
  });

  it('names what had to go and what never came, each on a line', () => {
    const output = { ...evictedOutput(100, 60), missing: { chunks: 2, bytes: 0 } };
    assert.equal(
      evictionNote(output, english),
      '[60 bytes of older output are no longer kept; 40 bytes follow]\n[2 pieces of it never arrived here]\n',
    );
    const known = { ...snapshot().output, missing: { chunks: 2, bytes: 3 * 1024 } };
    assert.equal(evictionNote(known, english), '[3.0 KiB or more never arrived here]\n');
  });

  it('is a sentence where a message says it', () => {
    assert.equal(missingSentence(snapshot().output, english), undefined);
    const output = { ...evictedOutput(100, 60), missing: { chunks: 2, bytes: 0 } };
    assert.equal(
      missingSentence(output, english),
      'The output is not complete: 60 bytes of older output are no longer kept; 2 pieces of it never arrived here.',
    );
  });

  it('says no size that is not known', () => {
    const output = { ...snapshot().output, retainedBytes: 2048, goneUnknown: true };
    assert.equal(evictionNote(output, english), '[Some of the output is missing; 2.0 KiB follow]\n');
    assert.equal(missingSentence(output, english), 'The output is not complete: some of it is missing.');
  });

  it('is said in its place, and at the end', () => {
    const gap = { fromSeq: 4, throughSeq: 5, chunks: 2 };
    assert.equal(gapLine(gap, english), '[… output is missing here …]\n');
    const sized = { ...gap, bytes: 1024 };
    assert.equal(gapLine(sized, english), '[… 1.0 KiB of the output are missing here …]\n');
    const { output } = snapshot();
    assert.equal(endLine(output, english), '');
    for (const [missingEnd, text] of [
      [{ bytes: 1024 }, '1.0 KiB at the end are not on disk'],
      [{}, 'the end may be missing: the server ended before all output was on disk'],
    ] as const) {
      assert.equal(endLine({ ...output, missingEnd }, english), `[${text}]\n`);
      assert.equal(
        missingSentence({ ...output, missingEnd }, english),
        `The output is not complete: ${text}.`,
      );
    }
  });
});
