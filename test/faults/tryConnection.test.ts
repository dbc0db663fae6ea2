import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import { isReachable, takesConnections } from '../../src/local/ports/localPorts.js';

describe('A look at a port @all', () => {
  it('finds what listens, and nothing where nothing does', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    assert.equal(await isReachable(port), true);
    server.close();
    await once(server, 'close');
    assert.equal(await isReachable(port), false);
  });

  it('is not deceived by a connection with itself', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    // The kernel connects these two ends with each other.
    assert.equal(await takesConnections({ host: '127.0.0.1', port, localPort: port }), false);
  });
});
