import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { isExecError } from '../../../src/core/index.js';
import { findServers } from '../../../src/machine/index.js';
import { collectEvents } from '../../support/collect.js';
import { asRoot, describeOnLinux, describeOnPosix } from '../../support/onLinux.js';
import { OWN_MOUNTS, OWN_PROCESSES } from '../../support/ownMounts.js';
import { until } from '../../support/until.js';
import { describeDisks, withDisk } from '../../support/smallDisk.js';
import { params, sh } from '../../support/startParams.js';
import { builtFiles, type MachineFixture, useMachine } from './machineFixture.js';

/** The whole reason why no session server can be used. */
async function reasonFrom(connecting: ReturnType<MachineFixture['connect']>): Promise<string> {
  try {
    await connecting;
  } catch (error) {
    assert.ok(isExecError(error) && error.failure.kind === 'sessionServer', String(error));
    return error.message;
  }
  throw new Error('There is a session server.');
}

describeOnPosix('A session server in a machine with faults', () => {
  const fixture = useMachine();
  const usual = () => path.join(fixture.folder, 'run/exec-sessions');
  const openToOthers = (folder: string) => {
    fs.mkdirSync(folder);
    fs.chmodSync(folder, 0o755);
  };

  asRoot('cannot start if its folder belongs to another user', async () => {
    fs.mkdirSync(usual(), { mode: 0o700 });
    fs.chownSync(usual(), 12_345, 12_345);
    assert.match(await reasonFrom(fixture.connect()), /belongs to another user\. Choose another place\.$/);
  });

  it('is not looked for where others could have put a socket, nor through a link', async () => {
    await fixture.connect();
    fs.chmodSync(usual(), 0o777);
    assert.deepEqual(await findServers(fixture.env), []);
    assert.equal(await fixture.connect({ start: false }), undefined);
    fs.chmodSync(usual(), 0o700);
    assert.equal((await findServers(fixture.env)).length, 1);
    const behind = path.join(fixture.folder, 'run/behind');
    fs.renameSync(usual(), behind);
    fs.symlinkSync(behind, usual());
    assert.deepEqual(await findServers(fixture.env), []);
  });

  it('serves fifty clients, and those that break off disturb no other', async () => {
    const connected = async () => (await fixture.connect()) ?? assert.fail('There is no server.');
    const machines = await Promise.all(Array.from({ length: 50 }, connected));
    const started = await Promise.all(
      machines.map(({ backend }, index) =>
        backend.start({
          ...params({ processId: `${index}`, argv: sh('read x; echo "got $x"'), pipeStdin: true }),
          owned: true,
        }),
      ),
    );
    machines.slice(0, 40).forEach((machine) => machine.disconnect());
    const others = started.slice(40);
    await Promise.all(others.map((process) => process.write(new TextEncoder().encode('it\n'))));
    const ends = await Promise.all(others.map((process) => collectEvents(process)));
    assert.deepEqual(
      ends.map(({ stdout }) => stdout),
      others.map(() => 'got it\n'),
    );
    const list = (await machines[49]?.backend.list()) ?? [];
    assert.equal(list.length, 50);
    assert.equal(list.filter(({ state }) => state === 'running').length, 40);
  });

  it('cannot start if its folder is not private, and the text says what to do', async () => {
    openToOthers(usual());
    assert.equal(
      await reasonFrom(fixture.connect()),
      `The session server of this machine cannot be used: others can look into the folder ${usual()}. Choose one that only you can look into (mode 700).`,
    );
  });

  it('cannot start if the path of its folder is too long for a socket', async () => {
    const long = path.join(fixture.folder, 'run', 'x'.repeat(80));
    fs.mkdirSync(long, { mode: 0o700 });
    const env = { ...fixture.env, XDG_RUNTIME_DIR: long };
    assert.match(
      await reasonFrom(fixture.connect({ env })),
      /is too long for a socket: 103 bytes are the most/,
    );
  });

  it('runs from its original files if there is no place for a copy, which is said', async () => {
    const env = { ...fixture.env, XDG_CACHE_HOME: '/dev/null' };
    const machine = await fixture.connect({ env });
    const process = await machine?.backend.start(params({ argv: sh('echo works') }));
    assert.ok(process !== undefined);
    assert.equal((await collectEvents(process)).stdout, 'works\n');
    assert.match(
      fixture.lines.join('\n'),
      /is not copied to \/dev\/null\/exec-sessions, and runs from .*dist/,
    );
    const { files, copied } = machine?.backend.host.server ?? {};
    assert.deepEqual([files, copied], [builtFiles, false]);
  });

  it('reports what could be better apart from the messages of its connection', async () => {
    const compromises: string[] = [];
    const env = { ...fixture.env, XDG_CACHE_HOME: '/dev/null' };
    await fixture.connect({ env, compromise: (line) => compromises.push(line) });
    assert.deepEqual(
      compromises.map((line) => line.startsWith('The session server is not copied')),
      [true],
    );
    assert.doesNotMatch(fixture.lines.join('\n'), /is not copied/);
  });

  it('runs from a new copy if the last one was damaged', async () => {
    const copies = path.join(fixture.folder, 'home/.cache/exec-sessions');
    const machine = await fixture.connect();
    machine?.disconnect();
    const [pid = 0] = await fixture.servers();
    process.kill(pid, 'SIGTERM');
    await until(async () => (await fixture.servers()).length, 0);
    const [copy = ''] = fs.readdirSync(copies);
    fs.writeFileSync(path.join(copies, copy, 'exec-server.js'), 'throw new Error("damaged")');
    await fixture.connect();
    assert.equal((await fixture.servers()).length, 1);
    assert.deepEqual(fs.readdirSync(copies), [copy]);
    assert.deepEqual(
      fs.readFileSync(path.join(copies, copy, 'exec-server.js')),
      fs.readFileSync(path.join(builtFiles, 'exec-server.js')),
    );
  });

  it('is not waited for long if it does not answer @all', async () => {
    await fixture.connect();
    const [pid = 0] = await fixture.servers();
    process.kill(pid, 'SIGSTOP');
    const reason = await reasonFrom(fixture.connect());
    assert.match(
      reason,
      /: the one on .*\.sock does not answer within 5 seconds\. It may only be busy: try again\. .* ends all its sessions\.$/,
    );
  });

  it('takes back a start that was given up while it stood still, and counts as silent meanwhile @all', async () => {
    const machine = await fixture.connect();
    const { backend } = machine ?? assert.fail();
    const [pid = 0] = await fixture.servers();
    process.kill(pid, 'SIGSTOP');
    const ran = path.join(fixture.folder, 'ran');
    const starting = backend.start(params({ argv: ['touch', ran], owned: true }));
    const refused = assert.rejects(starting, /did not answer within 30 seconds/);
    await until(() => backend.connection.kind, 'recovering');
    await refused;
    // A start that begins meanwhile waits, and is not sent.
    const later = backend.start(params({ processId: 'later', argv: ['true'], owned: true }));
    process.kill(pid, 'SIGCONT');
    await until(() => backend.connection.kind, 'connected');
    await collectEvents(await later);
    assert.equal(fs.existsSync(ran), false);
    assert.equal((await backend.list()).length, 1);
  });

  it('makes its socket anew if that is removed, with all its folders @all', async () => {
    const machine = await fixture.connect();
    await machine?.backend.start(params({ argv: sh('sleep 100') }));
    fs.rmSync(path.join(fixture.folder, 'run'), { recursive: true });
    // Before that, servers are looked for in the home of whoever runs the tests.
    await until(() => fs.existsSync(machine?.socket ?? assert.fail()));
    const again = await fixture.connect({ start: false });
    assert.equal(again?.socket, machine?.socket);
    assert.equal((await again?.backend.list())?.length, 1);
    assert.equal((await fixture.servers()).length, 1);
  });

  it('ignores a socket of another machine, and a file that is not a socket', async () => {
    fs.mkdirSync(usual(), { mode: 0o700 });
    fs.writeFileSync(path.join(usual(), `sessions-${'0'.repeat(12)}-${'1'.repeat(12)}.sock`), '');
    assert.deepEqual(await findServers(fixture.env), []);
    const machine = await fixture.connect();
    fs.writeFileSync(machine?.socket.replace(machine.files, '1'.repeat(12)) ?? '', '');
    assert.deepEqual(
      (await findServers(fixture.env)).map(({ socket }) => socket),
      [machine?.socket],
    );
  });
});

describeOnLinux('A session server of another container', () => {
  const fixture = useMachine();
  const look = `require(${JSON.stringify(path.join(builtFiles, 'machine.js'))}).findServers(process.env)
    .then((found) => console.log(found.length))`;
  /** How many servers a program finds that has the same folders. */
  const foundBy = async (...prefix: readonly string[]) => {
    const [file, ...args] = [...prefix, process.execPath, '-e', look];
    const { stdout } = await promisify(execFile)(file, args, { env: fixture.env });
    return Number(stdout);
  };

  it('is not found although its folder is shared, be it apart in its mounts or in its processes', async () => {
    const machine = await fixture.connect();
    await machine?.backend.start(params({ argv: sh('sleep 100') }));
    assert.equal(await foundBy('env'), 1);
    assert.equal(await foundBy(...OWN_MOUNTS), 0);
    assert.equal(await foundBy(...OWN_PROCESSES), 0);
    assert.equal((await machine?.backend.list())?.length, 1);
  });
});

describeOnPosix('A session server of a program that runs in a service of systemd', () => {
  const fixture = useMachine();
  const controlGroups = '0::/system.slice/code-server@me.service\n';
  /** Puts a systemd-run on the PATH. */
  const withSystemd = (script: string) => {
    const bin = path.join(fixture.folder, 'bin');
    fs.mkdirSync(bin);
    fs.writeFileSync(path.join(bin, 'systemd-run'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return { controlGroups, env: { ...fixture.env, PATH: `${bin}:${fixture.env['PATH'] ?? ''}` } };
  };

  it('is started in a scope of its own', async () => {
    const said = path.join(fixture.folder, 'said');
    await fixture.connect(
      withSystemd(`echo "$*" >${said}; while [ "$1" != -- ]; do shift; done; shift; exec "$@"`),
    );
    assert.match(fs.readFileSync(said, 'utf8'), /^--user --scope .*-- .*exec-server\.js sessions --socket/);
    assert.equal((await fixture.servers()).length, 1);
  });

  it('is started all the same if there can be no scope, which is said', async () => {
    await fixture.connect(withSystemd('echo "no bus" >&2; exit 1'));
    assert.equal((await fixture.servers()).length, 1);
    assert.match(
      fixture.lines.join('\n'),
      /ends with the service .*: there is no scope for it \(no bus\)\.$/,
    );
  });
});

describeDisks('A session server whose place is on a full disk', () => {
  const fixture = useMachine();

  it('cannot start, and the text says why', async () => {
    const fill = 'mkdir -m 700 exec-sessions && { dd if=/dev/zero of=all bs=4k 2>&1 || :; } >&2';
    const program = [process.execPath, path.join(builtFiles, 'exec-sessions.js')];
    const [file = '', ...args] = withDisk(16 * 1024, path.join(fixture.folder, 'run'), fill);
    await assert.rejects(
      promisify(execFile)(file, [...args, ...program, 'run', '--detach', '--', 'sleep', '100'], {
        env: fixture.env,
      }),
      /The session server of this machine cannot be used: no space left on device \(ENOSPC\)\./,
    );
  });
});
