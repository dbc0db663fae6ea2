import assert from 'node:assert/strict';

import { aroundMatches } from '../../../src/core/index.js';

describe('A found line', () => {
  const around = (line: string, wanted: string, length: number) =>
    aroundMatches(
      line,
      (from) => {
        const start = line.indexOf(wanted, from);
        return start < 0 ? undefined : { start, end: start + wanted.length };
      },
      length,
    );
  const dots = '.'.repeat(20);

  it('stays whole if it is short', () => {
    assert.equal(around(`a${dots}`, 'a', 30), `a${dots}`);
  });

  it('is cut around its matches', () => {
    assert.equal(around(`${dots}a${dots}${dots}b`, 'a', 21), '[…] ...a... […]');
    assert.equal(around(`a${dots}a${dots}a`, 'a', 9), 'a.. […] .a. […] .a');
    assert.equal(around(`aaaa${dots}`, 'a', 9), 'aaaa.. […]');
  });

  it('says that more matches follow', () => {
    assert.equal(around(`a${dots}`.repeat(5), 'a', 9), 'a.. […] .a. […] .a. [… more matches in this line]');
  });

  it('shows the beginning of a match that is too long', () => {
    assert.equal(around(`${dots}aaaaaaaaaa${dots}`, 'aaaaaaaaaa', 9), '[…] aaa […]');
  });

  it('cuts no character in two', () => {
    for (let length = 9; length < 40; length += 1) {
      assert.doesNotMatch(around('😀'.repeat(30) + 'a' + '😀'.repeat(30), 'a', length), /\p{Cs}/u);
    }
  });
});
