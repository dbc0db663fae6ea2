import assert from 'node:assert/strict';

import { TransportState } from '../../../src/protocol/transport/transportState.js';

describe('TransportState', () => {
  it('delivers everything from before the end, to a later listener as well, and nothing from after it', () => {
    const state = new TransportState();
    const messages: string[] = [];
    state.deliver('before');
    assert.equal(state.finish('cut'), true);
    state.deliver('after');
    state.listener = (message) => messages.push(message);
    state.deliver('after');
    assert.deepEqual(messages, ['before']);
    assert.equal(state.finish('again'), false);
    assert.deepEqual(state.end, { reason: 'cut' });
  });
});
