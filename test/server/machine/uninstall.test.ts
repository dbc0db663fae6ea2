import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import type { Machine } from '../../../src/machine/index.js';
import { collectEvents } from '../../support/collect.js';
import { isRunning } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { sessionServersOf } from '../../support/sessionServers.js';
import { params, sh } from '../../support/startParams.js';
import { afterUninstall } from './afterUninstall.js';
import { otherFiles, useMachine } from './machineFixture.js';

describe('The files of the program once the extension is removed', () => {
  const fixture = useMachine();
  const folder = () => path.join(fixture.folder, 'home/.cache/exec-sessions');
  const left = () => (fs.existsSync(folder()) ? fs.readdirSync(folder()).sort() : []);
  const copies = () => left().filter((name) => name.startsWith('server-'));

  const connect = async (some: Parameters<typeof fixture.connect>[0] = {}): Promise<Machine> =>
    (await fixture.connect(some)) ?? assert.fail('There is no server.');

  /** A second place for sockets: a server there runs from the same files as the first. */
  const elsewhere = (name = 'elsewhere') => {
    const run = path.join(fixture.folder, name);
    fs.mkdirSync(run, { recursive: true, mode: 0o700 });
    return { ...fixture.env, XDG_RUNTIME_DIR: run };
  };

  const end = async (pid: number) => {
    process.kill(pid, 'SIGTERM');
    await until(async () => !(await isRunning(pid)));
  };

  const oneServer = async () => {
    const [pid = 0] = await fixture.servers();
    return pid;
  };

  /** As if nothing had been started from the copies of late. */
  const makeOld = () => {
    const before = new Date(Date.now() - 120_000);
    copies().forEach((name) => fs.utimesSync(path.join(folder(), name), before, before));
  };

  const keepCode = () => {
    const ofNode = path.join(folder(), 'code/v24');
    fs.mkdirSync(ofNode, { recursive: true });
    fs.writeFileSync(path.join(ofNode, '81456396'), 'code');
  };

  const say = async ({ backend }: Machine) => {
    const argv = sh('test -t 0 && echo terminal');
    const started = await backend.start(params({ processId: `say-${Date.now()}`, argv, tty: true }));
    return (await collectEvents(started)).stdout;
  };

  it('are gone if nothing runs', async () => {
    await connect();
    await end(await oneServer());
    makeOld();
    keepCode();
    assert.equal(copies().length, 1);
    await afterUninstall(fixture.env);
    assert.ok(!fs.existsSync(folder()));
  });

  it('are there for the server that runs from them, which removes them at its end', async () => {
    await connect({ files: otherFiles(path.join(fixture.folder, 'other')) });
    await end(await oneServer());
    makeOld();
    keepCode();
    const machine = await connect();
    await afterUninstall(fixture.env);
    assert.deepEqual(
      copies().map((name) => name.endsWith(machine.files)),
      [true],
    );
    assert.ok(!left().includes('code'));
    assert.equal(await say(machine), 'terminal\r\n');
    await end(await oneServer());
    assert.ok(!fs.existsSync(folder()), left().join(' '));
  });

  it('stay for the one that was started from them last, of several that run', async () => {
    await connect();
    const pid = await oneServer();
    makeOld();
    await afterUninstall(fixture.env);
    assert.equal(copies().length, 1);
    assert.ok(left().includes('uninstalled'));
    const env = elsewhere();
    const other = await connect({ env });
    // It is installed again, and removed again.
    assert.ok(!left().includes('uninstalled'));
    await afterUninstall(env);
    await end(pid);
    assert.equal(copies().length, 1);
    assert.equal(await say(other), 'terminal\r\n');
    const [last = 0] = sessionServersOf(env.XDG_RUNTIME_DIR);
    await end(last);
    assert.ok(!fs.existsSync(folder()), left().join(' '));
  });

  it('are whole for a server that is started while another one removes them', async () => {
    for (const round of ['one', 'two', 'three']) {
      await connect();
      const pid = await oneServer();
      makeOld();
      await afterUninstall(fixture.env);
      const [, machine] = await Promise.all([end(pid), connect({ env: elsewhere(round) })]);
      assert.equal(await say(machine), 'terminal\r\n');
      assert.equal(copies().length, 1);
      assert.ok(!left().includes('uninstalled'));
      const [other = 0] = sessionServersOf(path.join(fixture.folder, round));
      await end(other);
    }
    // It would say so if it could not copy them.
    assert.ok(!fixture.lines.some((line) => line.includes('not copied')), fixture.lines.join('\n'));
  });

  it('stay as they are while it is installed', async () => {
    await connect();
    await end(await oneServer());
    keepCode();
    assert.equal(left().length, 2);
    await connect();
    await end(await oneServer());
    assert.equal(left().length, 2);
  });
});
