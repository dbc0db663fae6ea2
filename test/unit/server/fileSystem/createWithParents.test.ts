import assert from 'node:assert/strict';

import { createWithParents } from '../../../../src/server/methods/fileSystem/directories.js';
import { makeOsError } from '../../../../src/server/methods/osErrors.js';

describe('Creating a directory and those before it', () => {
  for (const code of ['ENOSPC', 'EROFS', 'EDQUOT', 'ENOENT']) {
    it(`says ${code} if that is what the system says`, async () => {
      const asked: string[] = [];
      const create = (directory: string) => {
        asked.push(directory);
        return Promise.reject(makeOsError(directory === '/none/a/b' ? 'ENOENT' : code));
      };
      await assert.rejects(createWithParents('/none/a/b', create), { code });
      assert.deepEqual(asked.slice(0, 2), ['/none/a/b', '/none/a']);
    });
  }

  it('tries once more, and no more, when those before it are there', async () => {
    let tries = 0;
    const create = (directory: string) => {
      tries += directory === '/none' ? 1 : 0;
      return Promise.reject(makeOsError('ENOENT'));
    };
    await assert.rejects(createWithParents('/none', create), { code: 'ENOENT' });
    assert.equal(tries, 2);
  });
});
