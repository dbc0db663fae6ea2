import assert from 'node:assert/strict';
import path from 'node:path';

import { RemoteBackend, webSocketConnector } from '../../src/remote/index.js';
import { ensureArm64 } from '../rig/arm64.js';
import { root as repository } from '../rig/paths.js';
import { collectEvents, untilOutput } from '../support/collect.js';
import { startServer, type RunningServer } from '../support/execServer.js';

const ENTER = path.join(import.meta.dirname, 'enter.sh');
const NAMESPACES = ['--user', '--map-root-user', '--mount', '--pid', '--fork', '--kill-child'];

describe('The exec-server on arm64', () => {
  let server: RunningServer;
  let backend: RemoteBackend;

  before(async () => {
    const root = await ensureArm64();
    const program = ['/opt/node', '/dist/exec-server.js', '--listen', 'ws://127.0.0.1:0'];
    server = await startServer(({ env, folder }) => ({
      argv: ['unshare', ...NAMESPACES, 'sh', ENTER, root, path.join(repository, 'dist'), ...program],
      env: { ...env, HOME: '/root', TMPDIR: '/tmp' },
      cwd: folder,
    }));
    backend = await RemoteBackend.connect({
      connector: webSocketConnector({ url: server.url }),
      clientName: 'arm64',
    });
  });

  after(async () => {
    await backend.shutdown();
    await server.stop();
  });

  let starts = 0;
  const start = (argv: readonly string[], tty = false) => {
    starts += 1;
    const env = { PATH: '/bin:/usr/bin' };
    return backend.start({
      processId: `p${starts}`,
      argv,
      cwd: '/',
      env,
      tty,
      size: { columns: 100, rows: 30 },
    });
  };

  it('runs programs on pipes', async () => {
    const { stdout, stderr, exit } = await collectEvents(
      await start(['sh', '-c', 'busybox uname -m; echo error >&2; exit 4']),
    );
    assert.deepEqual([stdout, stderr, exit], ['aarch64\n', 'error\n', { exitCode: 4 }]);
  });

  it('runs programs on terminals, with their size', async () => {
    const process = await start(['sh', '-c', 'busybox stty size; read line; echo "got $line"; exit 5'], true);
    const ended = collectEvents(process);
    await untilOutput(process, '30 100');
    await process.resize({ columns: 90, rows: 20 });
    await process.write(Buffer.from('text\r'));
    const { stdout, exit } = await ended;
    assert.match(stdout, /got text/);
    assert.deepEqual(exit, { exitCode: 5 });
  });

  it('stops them with what they have started', async () => {
    for (const tty of [false, true]) {
      const process = await start(['sh', '-c', 'busybox sleep 1000 & echo up; wait'], tty);
      await untilOutput(process, 'up');
      const { exited, survivors } = await process.stop();
      assert.deepEqual([exited, survivors], [true, []]);
    }
  });

  it('says which program is not there', async () => {
    await assert.rejects(start(['no-such-program']), /there is no such program/);
  });
});
