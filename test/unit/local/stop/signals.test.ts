import assert from 'node:assert/strict';
import { constants } from 'node:os';

import { exitStatus, sendableSignals } from '../../../../src/local/stop/signals.js';

describe('The signals that can be sent', () => {
  it('are all of a POSIX machine', () => {
    assert.deepEqual(sendableSignals('linux'), Object.keys(constants.signals));
  });

  it('are on Windows those with an effect of their own', () => {
    assert.deepEqual(sendableSignals('win32'), ['SIGINT', 'SIGKILL']);
  });
});

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
