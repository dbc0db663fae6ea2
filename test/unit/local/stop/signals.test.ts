import assert from 'node:assert/strict';
import { constants } from 'node:os';

import { sendableSignals } from '../../../../src/local/stop/signals.js';

describe('The signals that can be sent', () => {
  it('are all of a POSIX machine', () => {
    assert.deepEqual(sendableSignals('linux'), Object.keys(constants.signals));
  });

  it('are on Windows those with an effect of their own', () => {
    assert.deepEqual(sendableSignals('win32'), ['SIGINT', 'SIGKILL']);
  });
});
