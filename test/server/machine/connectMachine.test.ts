import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';

import { systemClock } from '../../../src/core/index.js';
import { connectTo, findServers } from '../../../src/machine/index.js';
import { collectEvents, untilOutput } from '../../support/collect.js';
import { INHERITING } from '../../support/envPolicy.js';
import { isRunning } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { endSessionServersIn } from '../../support/sessionServers.js';
import { params, sh } from '../../support/startParams.js';
import { otherFiles, useMachine } from './machineFixture.js';

describe('The session server of a machine', () => {
  const fixture = useMachine();

  it('starts in a home whose package.json says that programs are modules', async () => {
    fs.writeFileSync(path.join(fixture.folder, 'home/package.json'), '{"type": "module"}');
    assert.ok(await fixture.connect());
  });

  it('is not started by a client that only looks', async () => {
    assert.equal(await fixture.connect({ start: false }), undefined);
    assert.deepEqual(await fixture.servers(), []);
    assert.deepEqual(fs.readdirSync(path.join(fixture.folder, 'run')), []);
  });

  it('is started once, by fifty at the same time', async () => {
    const machines = await Promise.all(Array.from({ length: 50 }, () => fixture.connect()));
    assert.equal((await fixture.servers()).length, 1);
    assert.equal(new Set(machines.map((machine) => machine?.socket)).size, 1);
    await machines[0]?.backend.start(params({ processId: 'shared', argv: sh('sleep 100') }));
    const lists = await Promise.all(machines.map(async (machine) => await machine?.backend.list()));
    assert.deepEqual(
      lists.map((list) => list?.length),
      machines.map(() => 1),
    );
  });

  it('is found by the next one, whose connections do not end it', async () => {
    const first = await fixture.connect();
    const started = await first?.backend.start(params({ argv: sh('echo ready; sleep 100') }));
    assert.ok(started !== undefined);
    await untilOutput(started, 'ready');
    first?.disconnect();
    const second = await fixture.connect({ start: false });
    const [found] = (await second?.backend.list()) ?? [];
    const attached = await second?.backend.attach(found?.processId ?? '');
    assert.ok(attached !== undefined);
    await untilOutput(attached, 'ready');
    assert.equal(attached.info().pid, started.info().pid);
    assert.deepEqual(
      (await findServers(fixture.env)).map(({ socket }) => socket),
      [second?.socket],
    );
  });

  it('gives a session the variables of its client, and not its own', async () => {
    const env = { ...fixture.env, OF_BOTH: 'first', OF_FIRST: 'yes' };
    await fixture.connect({ env });
    const second = await fixture.connect({ env: { ...fixture.env, OF_BOTH: 'second' }, start: false });
    const argv = sh('echo "$OF_BOTH $OF_FIRST. $OVER"; test -n "$EXEC_SESSION_ID" && echo marked');
    const process = await second?.backend.start(
      params({ argv, env: { OVER: 'over' }, envPolicy: INHERITING }),
    );
    assert.ok(process !== undefined);
    assert.equal((await collectEvents(process)).stdout, 'second . over\nmarked\n');
  });

  it('tells every client how it runs', async () => {
    const first = await fixture.connect();
    const second = await fixture.connect({ start: false });
    const [pid = 0] = await fixture.servers();
    const [copy = ''] = fs.readdirSync(path.join(fixture.folder, 'home/.cache/exec-sessions'));
    assert.deepEqual(second?.backend.host.server, first?.backend.host.server);
    const { service, ...told } = second?.backend.host.server ?? {};
    assert.ok(service === undefined || service.endsWith('.service'), 'the tests may run in a service');
    assert.deepEqual(told, {
      pid,
      node: fs.realpathSync(process.execPath),
      nodeVersion: process.version,
      electron: false,
      files: path.join(fixture.folder, 'home/.cache/exec-sessions', copy),
      copied: true,
    });
    assert.equal(second?.isAtBestPlace, true);
  });

  it('runs from a copy that only its user can look into', async () => {
    await fixture.connect();
    const copies = path.join(fixture.folder, 'home/.cache/exec-sessions');
    const [copy = ''] = fs.readdirSync(copies);
    assert.equal(fs.statSync(copies).mode & 0o777, 0o700);
    assert.equal(fs.statSync(path.join(copies, copy)).mode & 0o777, 0o700);
    const [pid] = await fixture.servers();
    assert.match(fs.readFileSync(`/proc/${pid ?? 0}/cmdline`, 'utf8'), new RegExp(`${copy}/exec-server.js`));
  });

  it('runs beside a server of another version, whose sessions can be used', async () => {
    const older = await fixture.connect({ files: otherFiles(path.join(fixture.folder, 'older')) });
    await older?.backend.start(params({ processId: 'old', argv: sh('echo old; sleep 100') }));
    older?.disconnect();
    const newer = await fixture.connect();
    assert.notEqual(newer?.socket, older?.socket);
    assert.deepEqual(await newer?.backend.list(), []);
    const found = await findServers(fixture.env);
    assert.equal(found.length, 2);
    const [other] = found.filter(({ socket }) => socket !== newer?.socket);
    assert.ok(other !== undefined);
    const again = await connectTo(other, { env: fixture.env, clock: systemClock, log: () => undefined });
    const [info] = (await again?.backend.list()) ?? [];
    const attached = await again?.backend.attach(info?.processId ?? '');
    assert.ok(attached !== undefined);
    await untilOutput(attached, 'old');
    await attached.stop();
    again?.disconnect();
  });

  it('removes files of killed servers of other versions, once those cannot be starting any more', async () => {
    const other = await fixture.connect({ files: otherFiles(path.join(fixture.folder, 'older')) });
    const socket = other?.socket ?? '';
    const kill = async () => {
      (await fixture.servers()).forEach((pid) => process.kill(pid, 'SIGKILL'));
      await until(async () => (await fixture.servers()).length, 0);
    };
    await kill();
    await fixture.connect();
    assert.equal(fs.existsSync(socket), true);
    await kill();
    fs.utimesSync(socket, 1, 1);
    await fixture.connect();
    await until(() => !fs.existsSync(socket));
    assert.equal(fs.existsSync(socket.replace(/\.sock$/, '.log')), false);
    assert.equal((await findServers(fixture.env)).length, 1);
  });

  it('is started anew when the old one closes a connection that it took while ending', async () => {
    const first = await fixture.connect();
    const socket = first?.socket ?? '';
    await endSessionServersIn(fixture.folder);
    fs.rmSync(socket, { force: true });
    let taken = 0;
    const ending = net.createServer((connection) => {
      taken += 1;
      ending.close();
      connection.destroy();
    });
    await once(ending.listen(socket), 'listening');
    const second = await fixture.connect();
    assert.deepEqual([taken, second?.socket], [1, socket]);
    assert.equal((await fixture.servers()).length, 1);
  });

  it('is started anew where one was killed', async () => {
    const first = await fixture.connect();
    const [pid = 0] = await fixture.servers();
    process.kill(pid, 'SIGKILL');
    await until(async () => !(await isRunning(pid)));
    assert.equal(await fixture.connect({ start: false }), undefined);
    assert.deepEqual(await findServers(fixture.env), []);
    const second = await fixture.connect();
    assert.equal(second?.socket, first?.socket);
    assert.notDeepEqual(await fixture.servers(), [pid]);
  });
});
