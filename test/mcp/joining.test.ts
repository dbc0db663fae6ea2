import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { version } from '../../package.json';
import { systemClock } from '../../src/core/index.js';
import { connectMachine, type Machine } from '../../src/machine/index.js';
import { root } from '../rig/paths.js';
import { describeOnPosix } from '../support/onLinux.js';
import { isRunning, until } from '../support/processes.js';
import { sessionServersOf } from '../support/sessionServers.js';
import { useMcpPrograms } from './program.js';
import { callTool } from './reply.js';

const CAT = { argv: ['cat'], stdin: true, yield_time_ms: 0 };

describeOnPosix('exec-server mcp with the session server of its machine', () => {
  const programs = useMcpPrograms();
  const machines = new Set<Machine>();
  afterEach(() => {
    machines.forEach((machine) => machine.disconnect());
    machines.clear();
  });

  /** Connects as a window does. */
  const connect = async (): Promise<Machine> => {
    const { folder } = programs;
    const machine = await connectMachine({
      version,
      files: path.join(root, 'dist'),
      env: { HOME: folder, TMPDIR: folder, XDG_RUNTIME_DIR: folder },
      clock: systemClock,
      log: () => undefined,
      start: false,
    });
    assert.ok(machine !== undefined, 'There is no session server.');
    machines.add(machine);
    return machine;
  };

  it('starts none before a tool is called, and one for all programs', async () => {
    const [one, two] = await Promise.all([programs.start({ joins: true }), programs.start({ joins: true })]);
    await one.client.listTools();
    assert.deepEqual(sessionServersOf(programs.folder), []);
    await Promise.all([one, two].map(({ client }) => callTool(client, 'exec_command', CAT)));
    assert.equal(sessionServersOf(programs.folder).length, 1);
    const list = await (await connect()).backend.list();
    assert.deepEqual(
      list.map(({ argv }) => argv),
      [['cat'], ['cat']],
    );
  });

  it('says there what every window shows of a session', async () => {
    const { client } = await programs.start({ joins: true });
    await callTool(client, 'exec_command', { ...CAT, title: 'my cat' });
    const [info] = await (await connect()).backend.list();
    const { sessionId, origin, folder, title, commandLine } = info?.metadata ?? {};
    assert.deepEqual(
      { origin, folder, title, commandLine },
      {
        origin: { kind: 'agent', name: 'tester' },
        folder: programs.folder,
        title: 'my cat',
        commandLine: 'cat',
      },
    );
    assert.equal(typeof sessionId, 'string');
    assert.equal(info?.owned, true);
  });

  it('goes, and leaves its sessions running', async () => {
    const { client, pid } = await programs.start({ joins: true });
    await callTool(client, 'exec_command', CAT);
    await client.close();
    await until(async () => !(await isRunning(pid)));
    const [info] = await (await connect()).backend.list();
    assert.equal(info?.state, 'running');
    assert.equal(await isRunning(info.pid ?? 0), true);
  });

  it('goes on if that is killed, with a new one', async () => {
    const { client } = await programs.start({ joins: true });
    const { session } = await callTool(client, 'exec_command', CAT);
    const [server = 0] = sessionServersOf(programs.folder);
    process.kill(server, 'SIGKILL');
    const lost = await callTool(client, 'wait_for', { session, exit: true, timeout_ms: 50_000 });
    assert.match(lost.state, /^lost: /);
    const again = await callTool(client, 'exec_command', { cmd: 'echo again' });
    assert.match(again.output, /^again$/m);
    assert.notDeepEqual(sessionServersOf(programs.folder), [server]);
  });

  it('serves alone where there can be none, and says so in its log and in the list', async () => {
    const { folder } = programs;
    // No place for a socket is private.
    for (const name of ['exec-sessions', `exec-sessions-${process.getuid?.() ?? ''}`, '.exec-sessions']) {
      fs.mkdirSync(path.join(folder, name));
      fs.chmodSync(path.join(folder, name), 0o755);
    }
    const { client, stderr } = await programs.start({ joins: true });
    const reply = await callTool(client, 'exec_command', { cmd: 'echo works' });
    assert.match(reply.output, /^works$/m);
    const notice =
      /^Sessions end with this program, and no window of VS Code shows them: The session server of this machine cannot be used: others can look into the folder .*\.$/m;
    assert.match((await callTool(client, 'list_sessions')).text, notice);
    assert.match(stderr(), notice);
    assert.deepEqual(sessionServersOf(folder), []);
  });
});
