import assert from 'node:assert/strict';

import { english } from '../../../src/core/index.js';
import { lossText } from '../../../src/sessions/words/lossText.js';

describe('why something was lost', () => {
  it('is said without what only the wire needs', () => {
    assert.equal(lossText('exec-server transport disconnected: the cable', english), 'the cable');
    assert.equal(
      lossText('exec-server transport disconnected: closed by this side', english),
      'this window has disconnected',
    );
    assert.equal(lossText('no answer\nfor 30 s', english), 'no answer for 30 s');
    assert.equal(
      lossText(
        'exec-server transport disconnected: closed; failed to resume exec-server session: ' +
          'exec-server rejected request (-32600): unknown session id f6817653',
        english,
      ),
      'the server was restarted, or has given up waiting',
    );
  });

  it('is not how often it was tried', () => {
    const reason = 'the cable; failed to resume exec-server session: recovery timed out after 45s (refused)';
    assert.equal(lossText(reason, english), 'it could not be reached again within 45 s');
  });

  it('is no longer than anybody reads', () => {
    assert.equal(lossText('x'.repeat(1_000_000), english).length, 300);
  });

  it('is never nothing', () => {
    for (const reason of [undefined, '', ' ', 'exec-server transport disconnected']) {
      assert.equal(lossText(reason, english), 'the reason is not known');
    }
  });
});
