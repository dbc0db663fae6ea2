import assert from 'node:assert/strict';
import path from 'node:path';

import type { ExecEvent, ExecProcess } from '../../src/core/index.js';
import {
  RemoteBackend,
  socketConnector,
  webSocketConnector,
  type Connector,
} from '../../src/remote/index.js';
import { textOf, utf8 } from '../support/bytes.js';
import { ifCodex, startCodexServer } from '../support/codexServer.js';
import { collectEvents, untilEvent, untilOutput } from '../support/collect.js';
import {
  command,
  ownServer,
  startOwnServer,
  startServer,
  type RunningServer,
} from '../support/execServer.js';
import { until } from '../support/until.js';

const PATH = process.env['PATH'] ?? '/bin:/usr/bin';

function start(backend: RemoteBackend, processId: string, script: string, pipeStdin = false) {
  const argv = ['/bin/sh', '-c', script];
  return backend.start({ processId, argv, cwd: '/tmp', env: { PATH }, tty: false, pipeStdin });
}

const connectTo = (connector: Connector) => RemoteBackend.connect({ connector, clientName: 'sharing' });

describe('Two clients of a server on a private socket', () => {
  let server: RunningServer;
  let first: RemoteBackend;
  let second: RemoteBackend;

  beforeEach(async () => {
    server = await startServer((home) => {
      const url = `unix:${path.join(home.folder, 'socket')}`;
      return command([process.execPath, ownServer, '--listen', url], home.env, { cwd: home.folder });
    });
    const connector = socketConnector(server.url.replace(/^unix:/, ''));
    first = await connectTo(connector);
    second = await connectTo(connector);
  });
  afterEach(async () => {
    await Promise.all([first.shutdown(), second.shutdown()]);
    await server.stop();
  });

  /** The name by which the second client knows the only process of the first. */
  const handle = async () => {
    const [info, ...others] = await second.list();
    assert.ok(info);
    assert.deepEqual(others, []);
    return info.processId;
  };

  it('see the processes of each other, and can join them', async () => {
    const metadata = { title: 'shared' };
    const process = await first.start({
      processId: 'p',
      argv: ['/bin/sh', '-c', 'echo before; cat; exit 4'],
      cwd: '/tmp',
      env: { PATH },
      tty: false,
      pipeStdin: true,
      metadata,
    });
    await untilOutput(process, 'before');
    const [info] = await second.list();
    assert.ok(info);
    assert.deepEqual(
      [info.argv, info.cwd, info.state, info.pid, info.metadata, info.output.bytes],
      [process.info().argv, '/tmp', 'running', process.info().pid, metadata, 7],
    );
    const joined = await second.attach(info.processId);
    assert.equal(joined.processId, info.processId);
    await untilOutput(joined, 'before\n');
    assert.deepEqual(joined.info().metadata, metadata);
    // The process has one name now, and is listed once.
    assert.deepEqual(
      (await second.list()).map(({ processId }) => processId),
      [info.processId],
    );
    await joined.write(utf8('from second\n'));
    await untilOutput(process, 'from second');
    const ends = [process, joined].map(collectEvents);
    await process.closeStdin();
    const [own, other] = await Promise.all(ends);
    const told = (events: readonly ExecEvent[] = []) =>
      events.map((event) => (event.type === 'output' ? [event.seq, textOf([event])] : event));
    assert.deepEqual(told(other?.events), told(own?.events));
    assert.equal(other?.exit?.exitCode, 4);
  });

  it('join with a gap where the server could not keep the output', async () => {
    const process = await start(first, 'p', 'head -c 3000000 /dev/zero; echo; echo end; cat', true);
    await untilOutput(process, 'end');
    const joined = await second.attach(await handle());
    await untilOutput(joined, 'end');
    const gap = await untilEvent(joined, 'gap');
    assert.equal(gap.fromSeq, 1);
    const { output } = joined.info();
    assert.equal(output.bytes + (gap.bytes ?? 0), 3_000_000 + '\nend\n'.length);
    assert.deepEqual(output.missing, { chunks: gap.chunks, bytes: gap.bytes });
    await process.terminate();
  });

  it('join a process that is over, and two at once join once', async () => {
    const process = await start(first, 'p', 'echo whole; exit 3');
    await untilEvent(process, 'closed');
    const id = await handle();
    const [one, other] = await Promise.all([second.attach(id), second.attach(id)]);
    const { stdout, exit } = await collectEvents(one);
    assert.deepEqual([stdout, exit, other.info().state], ['whole\n', { exitCode: 3 }, 'closed']);
    await assert.rejects(second.attach('nobody'), /no process with the id "nobody"/);
  });

  it('leave the processes of others alone when they leave', async () => {
    const process = await start(first, 'p', 'echo ready; cat', true);
    await untilOutput(process, 'ready');
    await second.attach(await handle());
    await second.shutdown();
    await process.write(utf8('still there\n'));
    await untilOutput(process, 'still there');
  });
});

const servers = [
  { name: 'our own exec-server', isOwn: true, startServer: startOwnServer },
  ...ifCodex({ name: 'codex exec-server @all', isOwn: false, startServer: startCodexServer }),
];

for (const { name, isOwn, startServer } of servers) {
  describe(`A slow reader of a process of ${name}`, () => {
    let server: RunningServer;
    let backend: RemoteBackend;

    before(async () => {
      server = await startServer();
    });
    after(() => server.stop());
    beforeEach(async () => {
      backend = await connectTo(webSocketConnector({ url: server.url }));
    });
    afterEach(() => backend.shutdown({ graceMs: { interrupt: 0 } }));

    const COUNT = 40_000_000;
    /** Takes a little, and then nothing until the test lets it continue. */
    const readSlowly = (process: ExecProcess) => {
      const events: ExecEvent[] = [];
      let goesOn = false;
      const options = { windowBytes: 100_000, stallMs: Number.POSITIVE_INFINITY };
      const subscription = process.subscribe(options, (event) => {
        events.push(event);
        if (goesOn && event.type === 'output') subscription.acknowledge(event.seq);
      });
      return {
        events,
        goOn: () => {
          goesOn = true;
          subscription.acknowledge(Number.POSITIVE_INFINITY);
        },
      };
    };

    it('does not keep another process waiting', async () => {
      const slow = await start(backend, 'slow', `head -c ${COUNT} /dev/zero`);
      const reader = readSlowly(slow);
      const fast = await start(backend, 'fast', `head -c ${COUNT} /dev/zero`);
      await untilEvent(fast, 'closed');
      // A machine may be so busy that this program takes nothing for two seconds: then it is told what it has missed.
      const { bytes, missing } = fast.info().output;
      assert.equal(bytes + missing.bytes, COUNT);
      if (isOwn) {
        assert.ok(slow.info().output.bytes < COUNT / 4, String(slow.info().output.bytes));
      }
      await until(() => reader.events.length > 0);
      reader.goOn();
      await untilEvent(slow, 'closed');
    });

    it(isOwn ? 'holds back its process, and loses nothing' : 'is told what it missed', async () => {
      const slow = await start(backend, 'slow', `head -c 8000000 /dev/zero; exit 5`);
      const reader = readSlowly(slow);
      if (isOwn) {
        await until(() => slow.info().output.bytes > 100_000);
      } else {
        await until(() => slow.info().state, 'closed');
      }
      reader.goOn();
      await until(() => reader.events.at(-1)?.type, 'closed');
      const gaps = reader.events.filter((event) => event.type === 'gap');
      const bytes = reader.events.reduce(
        (total, event) =>
          total +
          (event.type === 'output' ? event.bytes.byteLength : event.type === 'gap' ? (event.bytes ?? 0) : 0),
        0,
      );
      assert.equal(bytes, 8_000_000);
      assert.equal(gaps.length > 0, !isOwn);
    });
  });
}
