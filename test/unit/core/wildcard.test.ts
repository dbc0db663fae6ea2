import assert from 'node:assert/strict';

import fc from 'fast-check';

import { fold, matchesWildcard } from '../../../src/core/wildcard.js';

/** The same question to the regular expressions of JavaScript, which may try for ever. */
function matchesExpression(name: string, pattern: string): boolean {
  const source = pattern.replace(/[\\^$.*+?()[\]{}|]/g, (character) =>
    character === '*' ? '.*' : character === '?' ? '.' : `\\${character}`,
  );
  return new RegExp(`^${source}$`, 'isu').test(name);
}

const matches = (name: string, pattern: string) => matchesWildcard(fold(name), fold(pattern));

describe('matchesWildcard', () => {
  it('says the same as a regular expression @property', () => {
    const text = (characters: string) =>
      fc.array(fc.constantFrom(...Array.from(characters)), { maxLength: 9 }).map((some) => some.join(''));
    fc.assert(
      fc.property(text('abAB.É😀\n'), text('abA***??.é😀\n'), (name, pattern) => {
        assert.equal(matches(name, pattern), matchesExpression(name, pattern));
      }),
      {
        examples: [
          ['a', '*'],
          ['aab', '*ab'],
          ['abab', 'a*b'],
          ['ab\n', '?*?'],
          ['aba', 'a*b'],
        ],
      },
    );
  });

  it('takes no more steps than the product of both lengths', () => {
    let steps = 0;
    const counted = (text: string) =>
      new Proxy(fold(text), {
        get: (characters, member) => {
          steps += typeof member === 'string' && /^\d+$/.test(member) ? 1 : 0;
          return Reflect.get(characters, member) as unknown;
        },
      });
    const name = 'a'.repeat(60);
    const pattern = `${'*a'.repeat(15)}b`;
    assert.equal(matchesWildcard(counted(name), counted(pattern)), false);
    // Each step looks at one character of both.
    assert.ok(steps <= 2 * (name.length + 1) * (pattern.length + 1), `${steps} steps`);
  });
});
