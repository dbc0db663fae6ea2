import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';

import { describeFailure, isExecError } from '../../src/core/index.js';
import { commandConnector, RemoteBackend } from '../../src/remote/index.js';
import { collectEvents } from '../support/collect.js';
import { makeServerHome, ownStdioServer, type ServerHome } from '../support/execServer.js';
import { describeOnLinux } from '../support/onLinux.js';
import { params, sh } from '../support/startParams.js';

/** Every descriptor that a program opens has a higher number than its standard streams. */
const NONE = 3;
const MANY = 1_024;

describeOnLinux('One moment without descriptors', () => {
  let home: ServerHome;
  let server: ChildProcess;
  let backend: RemoteBackend | undefined;

  beforeEach(() => {
    home = makeServerHome();
  });
  afterEach(async () => {
    await backend?.shutdown({ graceMs: { interrupt: 0, hangup: 0, terminate: 0 } });
    backend = undefined;
    await home.remove();
  });

  /** The limit takes effect in the running server. What it has open stays so. */
  function limit(descriptors: number): void {
    const { status, stderr } = spawnSync('prlimit', [
      '--pid',
      String(server.pid),
      `--nofile=${descriptors}:`,
    ]);
    assert.equal(status, 0, String(stderr));
  }

  /** @param ready What happens to the server between its start and the first message to it. */
  function connect(ready: () => void): Promise<RemoteBackend> {
    const connector = commandConnector({
      argv: ownStdioServer(),
      cwd: home.home,
      env: home.env,
      start: ([program, ...args], { env, ...options }) => {
        const child = spawn(program, args, { ...options, env: { ...env }, stdio: 'pipe' });
        server = child;
        ready();
        return Promise.resolve(child);
      },
    });
    return RemoteBackend.connect({ connector, clientName: 'x' });
  }

  it('at the first terminal does not disable all later ones', async () => {
    backend = await connect(() => undefined);
    limit(NONE);
    const terminal = { argv: sh('echo on a terminal'), tty: true, cwd: home.home };
    const error = await backend.start(params({ ...terminal, processId: 'first' })).then(
      () => undefined,
      (refused: unknown) => refused,
    );
    assert.ok(isExecError(error), String(error));
    assert.match(describeFailure(error.failure), /Too many open files \(os error 24\)/);
    limit(MANY);
    const later = await backend.start(params({ ...terminal, processId: 'later' }));
    assert.match((await collectEvents(later)).stdout, /on a terminal/);
  });
});
