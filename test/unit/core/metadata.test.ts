import assert from 'node:assert/strict';

import fc from 'fast-check';

import { isMarkKey, metadataIn, type MetadataKey } from '../../../src/core/index.js';

describe('The metadata of a session', () => {
  it('is read as it was written', () => {
    const origin = { kind: 'agent', name: 'Codex', conversation: '01a2', call: 'c1' };
    const agent = { number: 3, id: 'a', name: 'Codex' };
    const signalledBy = { signal: 'SIGTERM', id: 'a', name: 'Codex', foreign: true };
    const written = { title: 'Build', origin, agent, signalledBy, keepOutput: false, leftAt: 5 };
    assert.equal(metadataIn(written, 'title'), 'Build');
    assert.deepEqual(metadataIn(written, 'origin'), origin);
    assert.deepEqual(metadataIn(written, 'agent'), agent);
    assert.deepEqual(metadataIn(written, 'signalledBy'), { ...signalledBy, kind: 'agent', at: undefined });
    assert.equal(metadataIn(written, 'keepOutput'), false);
    assert.equal(metadataIn(written, 'leftAt'), 5);
  });

  it('says who has ended the session, with the cause as a receipt has it', () => {
    const endedBy = { kind: 'agent', id: 'a', name: 'Codex', foreign: true };
    assert.deepEqual(metadataIn({ endedBy }, 'endedBy'), {
      cause: { kind: 'agent', name: 'Codex' },
      by: endedBy,
    });
    assert.equal(metadataIn({ endedBy: { kind: 'weather' } }, 'endedBy'), undefined);
  });

  it('has an id for the session that is no longer than ours', () => {
    assert.equal(metadataIn({ sessionId: 'x'.repeat(100) }, 'sessionId'), 'x'.repeat(100));
    assert.equal(metadataIn({ sessionId: 'x'.repeat(101) }, 'sessionId'), undefined);
  });

  it('says nothing by a value of another kind, as another program may have written it @property', () => {
    const missing: Partial<Record<MetadataKey, unknown>> = {
      title: undefined,
      origin: { kind: 'other' },
      keep: false,
      keepOutput: undefined,
      keepOutputEnded: undefined,
      receiptUnwritten: undefined,
      controller: 'agent',
      waitsFor: undefined,
      endedBy: undefined,
      signalledBy: undefined,
      agent: undefined,
      leftAt: undefined,
      cursors: {},
    };
    fc.assert(
      fc.property(fc.oneof(fc.constant(null), fc.constant(''), fc.array(fc.anything())), (value) => {
        for (const [key, wanted] of Object.entries(missing)) {
          assert.deepEqual(metadataIn({ [key]: value }, key as MetadataKey), wanted);
        }
      }),
    );
  });
});

describe('The key of a mark', () => {
  it('begins with a mark, and ends with the name of a window', () => {
    assert.deepEqual(['pinned:/a', 'notify:', 'title', 'pinned'].filter(isMarkKey), ['pinned:/a', 'notify:']);
  });
});
