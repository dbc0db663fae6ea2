import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

/** The verdicts, from the worst to the best. */
const VERDICTS = ['-', 'o', '+'];

const tests = path.join(import.meta.dirname, '..');

describe('The page of journeys', () => {
  const page = fs.readFileSync(path.join(tests, 'e2e/results/journeys.md'), 'utf8');
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('|') && !line.startsWith('| -') && !line.includes('File below'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

  it('has all 71 of them, in order', () => {
    const numbers = rows.flatMap(([first = '']) => (/^\d+$/.test(first) ? [Number(first)] : []));
    assert.deepEqual(
      numbers,
      Array.from({ length: 71 }, (_, index) => index + 1),
    );
  });

  it('says of each how it was and how it is, and none has become worse', () => {
    const journeys = rows.filter(([first = '']) => /^\d+$/.test(first));
    for (const row of journeys) {
      const [before = -1, now = -1] = row.slice(2, 4).map((verdict) => VERDICTS.indexOf(verdict));
      assert.ok(before >= 0 && now >= before, row.join(' | '));
    }
  });

  it('names tests that are there', () => {
    let named = 0;
    for (const row of rows) {
      const [file = '', title = ''] = row.slice(-2);
      named += 1;
      const [, name = ''] = /^`([\w/]+\.test\.ts)`$/.exec(file) ?? [];
      const text = fs.readFileSync(path.join(tests, name), 'utf8').replaceAll(/(?: @[a-z]+)+'/g, "'");
      assert.ok(title !== '' && text.includes(`'${title}'`), `${file} has no test "${title}"`);
    }
    assert.ok(named > 80, `${named}`);
  });
});
