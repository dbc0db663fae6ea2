import assert from 'node:assert/strict';

import { exitStatus } from '../../../../src/local/child/exitStatus.js';

describe('exitStatus', () => {
  it('is what the program returned', () => {
    assert.deepEqual(exitStatus(7, null), { exitCode: 7 });
    assert.deepEqual(exitStatus(0, 0), { exitCode: 0 });
  });

  it('is 128 and the number of the signal, with its name', () => {
    assert.deepEqual(exitStatus(null, 'SIGTERM'), { exitCode: 143, signal: 'SIGTERM' });
    assert.deepEqual(exitStatus(0, 9), { exitCode: 137, signal: 'SIGKILL' });
    assert.deepEqual(exitStatus(0, 6), { exitCode: 134, signal: 'SIGABRT' });
    assert.deepEqual(exitStatus(0, 40), { exitCode: 168, signal: 'signal 40' });
  });
});
