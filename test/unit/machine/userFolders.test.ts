import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';

import { copiesFolder } from '../../../src/machine/index.js';
import { describeOnLinux } from '../../support/onLinux.js';

describeOnLinux('The folder of copies of a server', () => {
  it('is at the home of the user database for a HOME that is missing, empty or relative', () => {
    const usual = path.join(os.userInfo().homedir, '.cache/exec-sessions');
    for (const env of [{}, { HOME: '' }, { HOME: 'there', XDG_CACHE_HOME: 'there' }]) {
      assert.equal(copiesFolder(env), usual);
    }
    assert.equal(copiesFolder({ HOME: '/home/me' }), '/home/me/.cache/exec-sessions');
  });
});
