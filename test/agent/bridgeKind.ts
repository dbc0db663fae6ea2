import path from 'node:path';

import { commandConnector, RemoteBackend } from '../../src/remote/index.js';
import type { BackendKind } from '../contract/backends.js';
import { command, ownServer, startServer } from '../support/execServer.js';

/** Kills at once: a test's own processes need no graceful end. */
const FAST = { interrupt: 0, hangup: 0, terminate: 0 };

/** Our own server on a socket, reached through `bridge --stdio`, as over ssh. */
export const bridgeKind: BackendKind = {
  name: 'own server (bridge)',
  server: 'own',
  create: async () => {
    const server = await startServer((home) => {
      const url = `unix:${path.join(home.folder, 'socket')}`;
      return command([process.execPath, ownServer, '--listen', url], home.env, { cwd: home.folder });
    });
    const socket = server.url.replace(/^unix:/, '');
    const backend = await RemoteBackend.connect({
      connector: commandConnector({
        argv: [process.execPath, ownServer, 'bridge', '--stdio', '--socket', socket],
        cwd: server.folder,
        env: { PATH: process.env['PATH'] ?? '/bin:/usr/bin', HOME: server.home },
      }),
      clientName: 'agents',
    });
    return {
      backend,
      dispose: async () => {
        await backend.shutdown({ graceMs: FAST });
        await server.stop();
      },
    };
  },
};
