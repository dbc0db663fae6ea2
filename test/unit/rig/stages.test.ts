import assert from 'node:assert/strict';

import { levels } from '../../rig/levels.js';
import { stages } from '../../rig/stages.js';
import { allTestFiles, includes } from '../../rig/testFiles.js';

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
