import assert from 'node:assert/strict';

import { disconnectedText, english, type LossReason } from '../../../src/core/index.js';
import { failureText, lossText } from '../../../src/sessions/words/errorText.js';

const REFUSED = 'exec-server rejected request (-32600): unknown session id f6817653';

const CASES: readonly { reason: LossReason; words: string; wire: string }[] = [
  {
    reason: { kind: 'ended', ended: 'the cable' },
    words: 'the cable',
    wire: ': the cable',
  },
  {
    reason: { kind: 'ended', ended: 'no answer\nfor 30 s' },
    words: 'no answer for 30 s',
    wire: ': no answer\nfor 30 s',
  },
  {
    reason: { kind: 'closedHere' },
    words: 'this window has disconnected',
    wire: ': closed by this side',
  },
  {
    reason: { kind: 'sessionUnknown', ended: 'closed', answer: REFUSED },
    words: 'the server was restarted, or has given up waiting',
    wire: `: closed; failed to resume exec-server session: ${REFUSED}`,
  },
  {
    reason: { kind: 'refused', ended: '', answer: 'no more' },
    words: 'the server refuses to resume the connection: no more',
    wire: ': failed to resume exec-server session: no more',
  },
  {
    reason: { kind: 'timedOut', ended: 'the cable', seconds: 45, lastAttempt: 'refused' },
    words: 'refused (it could not be reached again within 45 s)',
    wire: ': the cable; failed to resume exec-server session: recovery timed out after 45s (refused)',
  },
  {
    reason: { kind: 'timedOut', ended: 'no sign of life for 12 s', seconds: 45, lastAttempt: 'Not there.' },
    words: 'Not there (it could not be reached again within 45 s)',
    wire: ': no sign of life for 12 s; failed to resume exec-server session: recovery timed out after 45s (Not there.)',
  },
  {
    reason: { kind: 'timedOut', ended: 'no sign of life for 12 s', seconds: 45 },
    words: 'no sign of life for 12 s (it could not be reached again within 45 s)',
    wire: ': no sign of life for 12 s; failed to resume exec-server session: recovery timed out after 45s',
  },
  {
    reason: { kind: 'sessionServerGone', ended: 'reset' },
    words: 'the session server was killed, or has crashed',
    wire: ': reset; failed to resume exec-server session: the session server has ended',
  },
  {
    reason: { kind: 'timedOut', ended: '', seconds: 0.4 },
    words: 'it could not be reached again within 0.4 s',
    wire: ': failed to resume exec-server session: recovery timed out after 0.4s',
  },
];

describe('why something was lost', () => {
  for (const { reason, words, wire } of CASES) {
    it(`is one thing for people and another for the wire: ${words}`, () => {
      assert.equal(lossText(reason, english), words);
      assert.equal(failureText({ kind: 'disconnected', reason }, english), words);
      assert.equal(disconnectedText(reason), `exec-server transport disconnected${wire}`);
    });
  }

  it('is what the server did, if the connection is not to blame', () => {
    const text = failureText({ kind: 'badAnswer', reason: 'It counts backwards.' }, english);
    assert.equal(text, 'The answer of the exec-server cannot be understood. It counts backwards.');
  });

  it('has a bounded length', () => {
    assert.equal(lossText({ kind: 'ended', ended: 'x'.repeat(1_000_000) }, english).length, 300);
  });

  it('is never empty', () => {
    for (const ended of ['', ' ']) {
      assert.equal(lossText({ kind: 'ended', ended }, english), 'the other side closed the connection');
    }
    assert.equal(failureText(undefined, english), 'the reason is not known');
    assert.equal(disconnectedText({ kind: 'ended', ended: '' }), 'exec-server transport disconnected');
  });
});
