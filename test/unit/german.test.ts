import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { collectMessages } from '../rig/l10n.js';

const root = path.join(import.meta.dirname, '../..');

type Texts = Readonly<Record<string, string>>;

const read = (file: string): Texts => JSON.parse(fs.readFileSync(path.join(root, file), 'utf8')) as Texts;

/**
 * The parts that a translation must not lose: the places of values, the commands in links, code, and the dots of a
 * question.
 */
function keptParts(text: string): readonly string[] {
  const parts = [/\{\d\}/g, /\]\((command:[^)]+)\)/g, /`[^`]+`/g].flatMap((part) =>
    [...text.matchAll(part)].map(([whole, inner]) => inner ?? whole),
  );
  return [...new Set([...parts, ...(/…“?$/.test(text) ? ['…'] : [])])].sort();
}

describe('The German texts', () => {
  for (const [what, english, german] of [
    ['of package.json', read('package.nls.json'), read('package.nls.de.json')],
    ['of the program', JSON.parse(collectMessages()) as Texts, read('l10n/bundle.l10n.de.json')],
  ] as const) {
    it(`are there for every text ${what}, and for no other`, () => {
      // In words, since the difference of two lists of hundreds is hard to read.
      const missing = Object.keys(english).filter((key) => !Object.hasOwn(german, key));
      const left = Object.keys(german).filter((key) => !Object.hasOwn(english, key));
      assert.deepEqual({ missing, left }, { missing: [], left: [] }, 'see "Translations" in CONTRIBUTING.md');
    });

    it(`keep the values, links and code ${what}`, () => {
      for (const [key, text] of Object.entries(german)) {
        assert.deepEqual(keptParts(text), keptParts(english[key] ?? ''), key);
        assert.equal(text.trim(), text, key);
        assert.notEqual(text, '', key);
      }
    });
  }

  it('are no copies of the English ones', () => {
    const german = Object.entries(read('l10n/bundle.l10n.de.json'));
    const copies = german.filter(([english, text]) => english === text && /[a-z]{3,} [a-z]{3,}/.test(text));
    assert.deepEqual(copies, []);
  });
});
