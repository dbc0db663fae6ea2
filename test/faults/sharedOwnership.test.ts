import assert from 'node:assert/strict';
import path from 'node:path';

import type { BackendChange, ExecProcess } from '../../src/core/index.js';
import { RemoteBackend, socketConnector } from '../../src/remote/index.js';
import { textOf, utf8 } from '../support/bytes.js';
import { Cable } from '../support/cable.js';
import { untilEvent, untilOutput } from '../support/collect.js';
import { command, ownServer, startServer, type RunningServer } from '../support/execServer.js';
import { until } from '../support/until.js';

const PATH = process.env['PATH'] ?? '/bin:/usr/bin';

const socketOf = ({ url }: RunningServer) => url.replace(/^unix:/, '');

describe('Clients of a server that owns their processes', () => {
  let server: RunningServer;
  const clients: RemoteBackend[] = [];

  beforeEach(async () => {
    server = await startServer((home) => {
      const url = `unix:${path.join(home.folder, 'socket')}`;
      return command([process.execPath, ownServer, '--listen', url], home.env, { cwd: home.folder });
    });
  });
  afterEach(async () => {
    clients.splice(0).forEach((client) => client.disconnect());
    await server.stop();
  });

  const connect = async (socket = socketOf(server)) => {
    const connector = socketConnector(socket);
    const backend = await RemoteBackend.connect({ connector, clientName: 'sharing' });
    clients.push(backend);
    const changes: BackendChange[] = [];
    backend.onDidChange((change) => changes.push(change));
    return { backend, changes };
  };
  const start = (backend: RemoteBackend, processId: string, script: string, some: object = {}) =>
    backend.start({
      processId,
      argv: ['/bin/sh', '-c', script],
      cwd: '/tmp',
      env: { PATH },
      tty: false,
      pipeStdin: true,
      owned: true,
      ...some,
    });
  /** Attaches to the only process there. */
  const join = async (backend: RemoteBackend): Promise<ExecProcess> => {
    const [info] = await backend.list();
    return backend.attach(info?.processId ?? assert.fail('There is none.'));
  };

  it('see at once what others start, change and remove, by the ids of the list', async () => {
    const [one, other] = [await connect(), await connect()];
    const mine = await start(one.backend, 'p', 'cat', { metadata: { title: 'mine' } });
    await until(() => other.changes.length > 0);
    const [info] = await other.backend.list();
    assert.deepEqual(other.changes, [{ type: 'added', processId: info?.processId }]);
    const yours = await join(other.backend);
    assert.deepEqual([yours.info().owned, yours.info().metadata], [true, { title: 'mine' }]);
    await yours.describe({ title: 'yours', by: 2 });
    assert.deepEqual(yours.info().metadata, { title: 'yours', by: 2 });
    await until(() => mine.info().metadata['by'], 2);
    assert.deepEqual(one.changes.at(-1), { type: 'changed', processId: 'p' });
    await mine.terminate();
    await Promise.all([untilEvent(mine, 'closed'), untilEvent(yours, 'closed')]);
    await other.backend.remove(yours.processId);
    await until(() => one.changes.at(-1)?.type, 'removed');
    assert.deepEqual(one.changes.at(-1), { type: 'removed', processId: 'p' });
    assert.deepEqual(other.changes.at(-1), { type: 'removed', processId: yours.processId });
    assert.deepEqual([await one.backend.list(), await other.backend.list()], [[], []]);
    assert.equal(other.changes.filter(({ type }) => type === 'added').length, 1);
  });

  it('can start again what another one has started, with the same variables', async () => {
    const [one, other] = [await connect(), await connect()];
    const env = { PATH, OF_ONE: 'a=b', PWD: '/elsewhere' };
    await start(one.backend, 'p', 'echo "$OF_ONE"', { env, metadata: { not: 'said' } });
    const asked = await (await join(other.backend)).startedWith();
    assert.deepEqual(asked, {
      argv: ['/bin/sh', '-c', 'echo "$OF_ONE"'],
      cwd: '/tmp',
      env,
      tty: false,
      pipeStdin: true,
      owned: true,
    });
    const again = await other.backend.start({ ...asked, processId: 'again' });
    await untilEvent(again, 'closed');
    assert.equal(textOf((await again.read()).chunks), 'a=b\n');
  });

  it('find everything again after they were away, each byte once', async () => {
    const one = await connect();
    const mine = await start(one.backend, 'p', 'echo one; read x; echo "two $x"; read x; echo "three $x"');
    await untilOutput(mine, 'one');
    one.backend.disconnect();
    const two = await connect();
    const yours = await join(two.backend);
    await yours.write(utf8('x\n'));
    await untilOutput(yours, 'two');
    two.backend.disconnect();
    const three = await connect();
    const ours = await join(three.backend);
    await ours.write(utf8('y\n'));
    await untilEvent(ours, 'closed');
    assert.equal(textOf((await ours.read()).chunks), 'one\ntwo x\nthree y\n');
  });

  it('know who is the primary viewer, and the size that this one gives', async () => {
    const [one, other] = [await connect(), await connect()];
    const mine = await start(one.backend, 'p', 'cat', { tty: true });
    const yours = await join(other.backend);
    const elsewhere = () => [mine.info().viewedElsewhere ?? false, yours.info().viewedElsewhere ?? false];
    await mine.view('focused');
    await until(() => yours.info().viewedElsewhere === true);
    assert.deepEqual(elsewhere(), [false, true]);
    await yours.view('shown');
    assert.deepEqual(elsewhere(), [false, true]);
    await yours.view('focused');
    assert.equal(elsewhere()[1], false);
    await yours.resize({ columns: 101, rows: 33 });
    await until(() => mine.info().size?.columns, 101);
    assert.equal(elsewhere()[0], true);
    other.backend.disconnect();
    await until(() => mine.info().viewedElsewhere !== true);
  });

  it('have the metadata changed after they left, as they asked for', async () => {
    const [one, other] = [await connect(), await connect()];
    const mine = await start(one.backend, 'p', 'cat', { metadata: { title: 'mine' } });
    const yours = await join(other.backend);
    const before = Date.now();
    const whenGone = { patch: { waits: null, here: false }, timeKey: 'at' };
    await mine.describe({ waits: 'yes', here: true }, { whenGone });
    await mine.describe({ waits: 'no' }, { whenGone: { patch: { waits: 'gone' } } });
    await mine.describe({ here: true });
    await until(() => yours.info().metadata['here'] === true);
    assert.deepEqual(yours.info().metadata, { title: 'mine', waits: 'no', here: true });
    one.backend.disconnect();
    await until(() => yours.info().metadata['at'] !== undefined);
    const { at, ...rest } = yours.info().metadata;
    assert.deepEqual(rest, { title: 'mine', waits: 'gone', here: true });
    assert.ok(typeof at === 'number' && at >= before && at <= Date.now(), String(at));
  });

  it('do not overwrite newer metadata of another client, neither when they leave nor when they return', async () => {
    const cable = await Cable.open(socketOf(server));
    try {
      const [one, other] = [await connect(String(cable.place)), await connect()];
      const mine = await start(one.backend, 'p', 'cat');
      const yours = await join(other.backend);
      const take = (process: ExecProcess, owner: string) =>
        process.describe({ owner, at: null }, { whenGone: { timeKey: 'at' }, provided: { owner } });
      const said = async () => {
        // The server answers in order, and knows by then whose connection has ended.
        await yours.describe({ more: true });
        const { owner, at } = yours.info().metadata;
        return { owner, at };
      };
      await mine.view('focused');
      await take(mine, 'one');
      // A client that comes back is gone only for a moment, which an occasional look would miss.
      let absences = 0;
      other.backend.onDidChange(() => {
        absences += yours.info().viewedElsewhere === true ? 0 : 1;
      });
      const gone = async (leave: () => void) => {
        await until(() => yours.info().viewedElsewhere === true);
        const before = absences;
        leave();
        await until(() => absences > before);
      };
      // It comes back, and no other client has taken it.
      await gone(() => cable.cut());
      await until(async () => (await said()).at, undefined);
      await gone(() => cable.cut());
      await take(yours, 'other');
      await until(() => yours.info().viewedElsewhere === true);
      await mine.describe({ back: true });
      await gone(() => one.backend.disconnect());
      assert.deepEqual(await said(), { owner: 'other', at: undefined });
      const third = await join((await connect()).backend);
      other.backend.disconnect();
      await until(() => typeof third.info().metadata['at'], 'number');
    } finally {
      cable.dispose();
    }
  });

  it('keep what nobody has removed when a process that is not owned is forgotten', async () => {
    await server.stop();
    server = await startServer((home) => {
      const url = `unix:${path.join(home.folder, 'socket')}`;
      const argv = [process.execPath, ownServer, '--listen', url, '--retention-seconds', '0'] as const;
      return command(argv, home.env, { cwd: home.folder });
    });
    const [one, other] = [await connect(), await connect()];
    const mine = await start(one.backend, 'p', 'echo out', { owned: false });
    await untilEvent(mine, 'closed');
    await until(() => other.changes.at(-1)?.type, 'removed');
    assert.equal(other.changes.at(-1)?.expired, true);
    assert.ok(one.changes.every(({ type }) => type !== 'removed'));
    assert.equal(textOf((await mine.read()).chunks), 'out\n');
    assert.equal((await one.backend.list()).length, 1);
  });
});
