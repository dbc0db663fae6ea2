import assert from 'node:assert/strict';
import { once } from 'node:events';

import { GuardProcess, LocalBackend } from '../../src/local/index.js';
import { commandConnector } from '../../src/remote/index.js';
import { params } from '../support/startParams.js';
import { guardArgv } from '../support/guard.js';
import { describeOnPosix, onLinux } from '../support/onLinux.js';
import { isRunning, openFiles } from '../support/processes.js';
import { until } from '../support/until.js';

/** The program of a command environment, such as ssh: no session, but a child of this process all the same. */
describeOnPosix('A program that speaks for a server @all', () => {
  let backend: LocalBackend;
  let pid: number;

  beforeEach(async () => {
    backend = new LocalBackend({ guard: (openTerminals) => new GuardProcess(guardArgv, openTerminals) });
    await backend.start(params({ argv: ['sleep', '100'], processId: 'terminal', tty: true }));
    const connector = commandConnector({
      argv: ['sleep', '4244'],
      start: async (argv, options) => {
        const child = await backend.startHelper(argv, options);
        pid = child.pid ?? assert.fail('not started');
        return child;
      },
    });
    await connector.connect(new AbortController().signal);
  });

  afterEach(() => backend.shutdown({ graceMs: { interrupt: 0, hangup: 0, terminate: 0 } }));

  onLinux('gets no terminal of this machine', () => {
    assert.ok([...openFiles(process.pid).values()].includes('/dev/ptmx'));
    const files = [...openFiles(pid).values()];
    assert.ok(!files.includes('/dev/ptmx'), files.join(' '));
  });

  onLinux('belongs to no session, even if this program does', async () => {
    const env = { A: '1', EXEC_SESSION_ID: 'outer/1' };
    const options = { detached: true, windowsHide: true, env } as const;
    const child = await backend.startHelper(['/usr/bin/env'], options);
    assert.equal((await child.stdout?.setEncoding('utf8').toArray())?.join(''), 'A=1\n');
  });

  it('does not outlive us, although it heeds no end of its input', async () => {
    await backend.shutdown({ graceMs: { interrupt: 0, hangup: 0, terminate: 0 } });
    await until(async () => !(await isRunning(pid)));
  });

  it('that does not exist is reported as that', async () => {
    const connector = commandConnector({
      argv: ['/no/such/program'],
      start: (argv, options) => backend.startHelper(argv, options),
    });
    await assert.rejects(connector.connect(new AbortController().signal), /no such program/);
    const child = await backend.startHelper(['true'], { detached: true, windowsHide: true });
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });
});
