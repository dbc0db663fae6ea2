import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { findServers } from '../../../src/machine/index.js';
import { collectEvents, untilOutput } from '../../support/collect.js';
import { isRunning, until } from '../../support/processes.js';
import { params, sh } from '../../support/startParams.js';
import { useMachine } from './machineFixture.js';

describe('The session server of a machine', () => {
  const fixture = useMachine();

  it('is not started by somebody who only looks', async () => {
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

  it('gives a session the variables of who starts it, and not those that it was started with', async () => {
    const env = { ...fixture.env, OF_BOTH: 'first', OF_FIRST: 'yes' };
    await fixture.connect({ env });
    const second = await fixture.connect({ env: { ...fixture.env, OF_BOTH: 'second' }, start: false });
    const inherit = {
      inherit: 'all',
      ignoreDefaultExcludes: true,
      exclude: [],
      set: {},
      includeOnly: [],
    } as const;
    const argv = sh('echo "$OF_BOTH $OF_FIRST. $OVER"; test -n "$EXEC_SESSION_ID" && echo marked');
    const process = await second?.backend.start(params({ argv, env: { OVER: 'over' }, envPolicy: inherit }));
    assert.ok(process !== undefined);
    assert.equal((await collectEvents(process)).stdout, 'second . over\nmarked\n');
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
