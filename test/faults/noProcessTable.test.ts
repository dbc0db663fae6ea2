import assert from 'node:assert/strict';

import { RemoteBackend, webSocketConnector } from '../../src/remote/index.js';
import { collectEvents, untilOutput } from '../support/collect.js';
import { command, ownServer, type RunningServer, startServer } from '../support/execServer.js';
import { describeLimits } from '../support/limitedUser.js';
import { isRunning, sessionMembers } from '../support/processes.js';
import { until } from '../support/until.js';
import { params, sh } from '../support/startParams.js';

/** Runs a program where /proc is empty. No other program sees that. */
const WITHOUT_PROC = [
  'unshare',
  '--mount',
  'sh',
  '-c',
  'mount -t tmpfs none /proc && exec "$@"',
  'sh',
] as const;

describeLimits('Where the system does not list its processes @all', () => {
  let server: RunningServer;
  let backend: RemoteBackend;

  beforeEach(async () => {
    server = await startServer(({ env }) => {
      const serve = [process.execPath, ownServer, '--no-auth', '--listen', 'ws://127.0.0.1:0'] as const;
      return command([...WITHOUT_PROC, ...serve], env, { cwd: '/' });
    });
    const connector = webSocketConnector({ url: server.url });
    backend = await RemoteBackend.connect({ connector, clientName: 'x' });
  });
  afterEach(async () => {
    await backend.shutdown({ graceMs: { interrupt: 0 } });
    await server.stop();
  });

  for (const tty of [false, true]) {
    it(`a stop ends the group of the leader, and says that it knows no more, ${tty ? 'on a terminal' : 'on pipes'}`, async () => {
      // The first takes the interrupt, and leaves the second to the later steps.
      const script = `(trap '' INT HUP TERM; echo ready; sleep 1000; sleep 1000) & wait`;
      const session = await backend.start(params({ argv: sh(script), tty }));
      await untilOutput(session, 'ready');
      const { pid = 0 } = session.info();
      const report = await session.stop({ graceMs: { interrupt: 100, hangup: 100, terminate: 100 } });
      assert.equal(report.exited, true);
      assert.equal(report.survivorsUnknown, true);
      await until(async () => (await sessionMembers(pid)).length, 0);
    });
  }

  it('what a process has left behind is not known once it has ended', async () => {
    const session = await backend.start(params({ argv: sh('setsid sleep 1000 >&- 2>&- & echo $!') }));
    const left = Number((await collectEvents(session)).stdout);
    try {
      const report = await session.stop();
      assert.deepEqual(
        [report.running, report.steps, report.survivorsUnknown, await isRunning(left)],
        [false, [], true, true],
      );
      await assert.rejects(session.survivors(), /Leftover processes cannot be found/);
    } finally {
      process.kill(left, 'SIGKILL');
    }
  });

  it('an interrupt of a terminal goes to the group of its leader', async () => {
    const script = `trap 'echo interrupted' INT; echo ready; while :; do sleep 0.1; done`;
    const session = await backend.start(params({ argv: sh(script), tty: true }));
    await untilOutput(session, 'ready');
    await session.signal('SIGINT');
    await untilOutput(session, 'interrupted');
  });

  it('the death of the server ends the group of the leader as well', async () => {
    const script = `trap '' INT HUP TERM; (echo ready; sleep 1000; sleep 1000) & wait; wait`;
    const session = await backend.start(params({ argv: sh(script) }));
    await untilOutput(session, 'ready');
    const { pid = 0 } = session.info();
    process.kill(server.pid, 'SIGKILL');
    await until(async () => (await sessionMembers(pid)).length, 0);
  });
});
