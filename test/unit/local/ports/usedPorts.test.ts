import assert from 'node:assert/strict';

import { parseLsof, usedPorts } from '../../../../src/local/ports/usedPorts.js';

describe('The ports that lsof names', () => {
  it('are each listed once, with all addresses, the lowest first', () => {
    const text = 'p12\nf3\nn127.0.0.1:3000\nf4\nn*:80\np13\nf3\nn[::1]:3000\nf9\nn127.0.0.1:3000\n';
    assert.deepEqual(parseLsof(text), [
      { port: 80, addresses: ['::'] },
      { port: 3000, addresses: ['127.0.0.1', '::1'] },
    ]);
    assert.deepEqual(parseLsof(''), []);
  });

  it('have their addresses in the usual form', () => {
    assert.deepEqual(usedPorts([{ port: 1, address: '0000:0000:0000:0000:0000:0000:0000:0001' }]), [
      { port: 1, addresses: ['::1'] },
    ]);
  });
});
