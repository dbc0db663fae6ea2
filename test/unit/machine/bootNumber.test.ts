import assert from 'node:assert/strict';

import { bootNumber } from '../../../src/machine/bootNumber.js';

const NUMBER = '5E6FFEBE-0D6A-4C3B-9C5D-2F1E8A7B6C5D';

describe('The number of a boot of macOS', () => {
  it('is what its system says', () => {
    const asked: unknown[] = [];
    const ask = (...question: readonly unknown[]) => {
      asked.push(question);
      return `${NUMBER}\n`;
    };
    assert.equal(bootNumber('darwin', ask), NUMBER);
    assert.deepEqual(asked, [['/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']]]);
  });

  it('is missing if the system says something else, or fails', () => {
    for (const answer of ['', 'unknown oid', `${NUMBER} ${NUMBER}`, NUMBER.slice(1)]) {
      assert.equal(
        bootNumber('darwin', () => answer),
        '',
        answer,
      );
    }
    const failing = () => {
      throw new Error('spawn /usr/sbin/sysctl ENOENT');
    };
    assert.equal(bootNumber('darwin', failing), '');
  });

  it('is not asked for elsewhere', () => {
    for (const platform of ['linux', 'win32', 'freebsd'] as const) {
      assert.equal(
        bootNumber(platform, () => NUMBER),
        '',
      );
    }
  });
});
