import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import { commandConnector, RemoteBackend } from '../../src/remote/index.js';
import { describeLimits, LimitedUser } from '../support/limitedUser.js';
import { params } from '../support/startParams.js';

describeLimits('A listener of another user @all', () => {
  it('is not seen by a server of an ordinary user, which tells the user, and since when', async () => {
    const user = new LimitedUser();
    const servers = [createServer(), createServer()] as const;
    const [before, since] = servers;
    const listen = async (server: typeof before) => {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      return (server.address() as AddressInfo).port;
    };
    const argv = user.command('--nofile=1024', [process.execPath, user.server, '--listen', 'stdio']);
    const connector = commandConnector({ argv, cwd: '/', env: user.home.env });
    const backend = await RemoteBackend.connect({ connector, clientName: 'faults' });
    try {
      const port = await listen(before);
      const started = await backend.start(params({ argv: ['sleep', '1000'], cwd: '/' }));
      const unseen = { addresses: ['127.0.0.1'], user: 'root', own: false, processId: undefined };
      assert.deepEqual(await started.listeners(port), [{ ...unseen, later: false }]);
      assert.deepEqual(await started.listeners(await listen(since)), [{ ...unseen, later: true }]);
    } finally {
      servers.forEach((server) => server.close());
      await backend.shutdown({ graceMs: { interrupt: 0, terminate: 0 } });
      await user.home.remove();
    }
  });
});
