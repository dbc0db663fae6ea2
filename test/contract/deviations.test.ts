import assert from 'node:assert/strict';

import { contractKinds } from './backends.js';
import { deviations, testName } from './deviations.js';

describe('The deviations of servers', () => {
  it('name tests that there are', function () {
    const titles = new Set<string>();
    const suites = new Set<string>();
    rootOf(this.test?.parent).eachTest((test) => {
      for (const { name } of contractKinds) {
        titles.add(testName(test.titlePath(), name));
        suites.add(testName(test.titlePath().slice(0, 1), name));
      }
    });
    const stale = Object.values(deviations)
      .flat()
      // Deviations from tests of a file that does not run now cannot be checked.
      .filter(({ test }) => suites.has(test.split(' > ')[0] ?? ''))
      .filter(({ test }) => !titles.has(test));
    assert.deepEqual(stale, []);
  });

  it('are each named once, with a reason', () => {
    for (const of of Object.values(deviations)) {
      const names = of.map(({ test }) => test);
      assert.deepEqual(names, [...new Set(names)]);
      assert.ok(of.every(({ reason }) => reason.length > 0));
    }
  });
});

function rootOf(suite: Mocha.Suite | undefined): Mocha.Suite {
  assert.ok(suite);
  return suite.parent === undefined ? suite : rootOf(suite.parent);
}
