import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { levels, type Level } from '../../rig/levels.js';
import { root } from '../../rig/paths.js';
import { stages } from '../../rig/stages.js';
import { allTestFiles, includes, type TestFiles } from '../../rig/testFiles.js';

/** It has tags that are no titles. */
const OWN_FILE = 'test/unit/rig/stages.test.ts';

describe('The stages of the tests', () => {
  const all = allTestFiles();
  const tests = stages.flatMap(({ tests: files }) => files ?? []);

  it('run every file of tests', () => {
    assert.ok(all.length > 0);
    assert.deepEqual(
      all.filter((file) => !tests.some((some) => includes(some, file))),
      [],
    );
  });

  it('have tests in each place that they name', () => {
    for (const some of tests) {
      assert.ok(
        all.some((file) => includes(some, file)),
        some.files,
      );
    }
  });

  it('have a test at each of their levels, and a level for each tag', () => {
    const taggedIn = (some: TestFiles, tag: RegExp): readonly string[] =>
      all.filter((file) => file !== OWN_FILE && includes(some, file) && tag.test(textOf(file)));
    const levelsOf = (file: string): ReadonlySet<Level> =>
      new Set(stages.flatMap((stage) => (stage.tests && includes(stage.tests, file) ? stage.levels : [])));
    for (const { name, levels: own, tests: some } of stages) {
      if (some === undefined) continue;
      if (own.includes('long')) assert.ok(taggedIn(some, / @long\b/).length > 0, name);
      if (own.includes('test') && own.includes('all')) {
        assert.ok(taggedIn(some, / @(?:all|property)\b/).length > 0, name);
      }
      for (const file of taggedIn(some, / @all\b/)) assert.ok(levelsOf(file).has('all'), file);
      for (const file of taggedIn(some, / @long\b/)) assert.ok(levelsOf(file).has('long'), file);
    }
  });

  it('take a test by the tag at the end of its title, or of a title around it', () => {
    const takenBy = (title: string): readonly string[] =>
      Object.entries(levels).flatMap(([level, { titles }]) => (titles.test(title) ? [level] : []));
    assert.deepEqual(takenBy('A log keeps what fits'), ['test']);
    assert.deepEqual(takenBy('A log @all keeps what fits'), ['all']);
    assert.deepEqual(takenBy('A log @all keeps\nwhat fits @long'), ['long']);
    assert.deepEqual(takenBy('A log keeps what fits @property'), ['test', 'all']);
    assert.deepEqual(takenBy('A log @all keeps what fits @property'), ['all']);
    assert.deepEqual(takenBy('A log sends to me@alliance'), ['test']);
  });
});

function textOf(file: string): string {
  return fs.readFileSync(path.join(root, file), 'utf8');
}
