import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

import { assertRejects } from '../support/assertRejects.js';
import { contractKinds, testsOf, useBackend } from './backends.js';

for (const kind of contractKinds) {
  const it = testsOf(kind);
  describe(`The machine of the ${kind.name} backend`, () => {
    const fixture = useBackend(kind);
    const servers: Server[] = [];
    afterEach(() => servers.splice(0).forEach((server) => server.close()));

    /** @returns The port of a server that listens there. */
    async function listen(host: string): Promise<number> {
      const server = createServer((socket) => socket.destroy()).listen(0, host);
      servers.push(server);
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    }

    for (const host of ['127.0.0.1', '::1', '0.0.0.0', '::']) {
      it(`tells that something listens at ${host}, and that it does no longer`, async () => {
        const { backend } = fixture;
        assert.notEqual(backend.capabilities.portProbe, false);
        const port = await listen(host);
        assert.equal(await backend.isListening(port), true);
        servers.splice(0).forEach((server) => server.close());
        assert.equal(await backend.isListening(port), false);
      });
    }

    it('looks at many ports at once', async () => {
      const ports = await Promise.all(Array.from({ length: 40 }, () => listen('127.0.0.1')));
      const seen = await Promise.all(ports.map((port) => fixture.backend.isListening(port)));
      assert.ok(seen.every((listening) => listening));
    });

    it('has no other ports than 1 to 65535', async () => {
      for (const port of [0, -1, 65_536, 1.5, Number.NaN, Infinity]) {
        const error = await assertRejects(fixture.backend.isListening(port), -32602, /^port must be/);
        assert.deepEqual(error.failure, { kind: 'badPort', port });
      }
    });
  });
}
