import assert from 'node:assert/strict';

import { english } from '../../../src/core/index.js';
import { evictionNote, missingSentence } from '../../../src/sessions/words/evictionNote.js';
import { evictedOutput, snapshot } from './snapshots.js';

describe('what is said before output of which some is missing', () => {
  it('is nothing if it is all there', () => {
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
      'Not all of the output is in it: 60 bytes of older output are no longer kept; 2 pieces of it never arrived here.',
    );
  });
});
