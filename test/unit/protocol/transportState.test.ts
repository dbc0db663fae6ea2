import assert from 'node:assert/strict';

import { FakeTransport } from './fakeTransport.js';

describe('TransportState', () => {
  it('delivers everything from before the end, to a later listener as well, and nothing from after it', () => {
    const transport = new FakeTransport();
    const messages: string[] = [];
    transport.receive('before');
    transport.destroy('cut');
    transport.receive('after');
    transport.onMessage = (message) => messages.push(message);
    transport.receive('after');
    assert.deepEqual(messages, ['before']);
    transport.destroy('again');
    assert.deepEqual(transport.end, { reason: 'cut' });
  });
});
