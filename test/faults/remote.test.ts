import assert from 'node:assert/strict';

import {
  type Clock,
  type ConnectionState,
  type ExecProcess,
  type StartParams,
  systemClock,
} from '../../src/core/index.js';
import { listProcesses } from '../../src/local/marks/processTable.js';
import { RemoteBackend, webSocketConnector, type RecoveryOptions } from '../../src/remote/index.js';
import { SHUTDOWN_WAIT_MS } from '../../src/remote/limits.js';
import { utf8 } from '../support/bytes.js';
import { Cable } from '../support/cable.js';
import { ifCodex, startCodexServer } from '../support/codexServer.js';
import { collectEvents, untilEvent, untilOutput } from '../support/collect.js';
import { startOwnServer, type RunningServer } from '../support/execServer.js';
import { FakeClock } from '../support/fakeClock.js';
import { commandLine } from '../support/processes.js';
import { until } from '../support/until.js';
import { wireText } from '../support/failures.js';

/** Cuts between our client and each of the servers, and recovery from them. */

const servers = [
  { name: 'our own exec-server', isOwn: true, startServer: startOwnServer },
  ...ifCodex({ name: 'codex exec-server @all', isOwn: false, startServer: startCodexServer }),
];

const PATH = process.env['PATH'] ?? '/bin:/usr/bin';

/** A script that waits for a file, so that a test decides when it continues. */
const waitFor = (file: string) => `while [ ! -e '${file}' ]; do sleep 0.02; done`;

for (const { name, isOwn, startServer } of servers) {
  describe(`A connection to ${name}`, () => {
    let server: RunningServer;
    let cable: Cable;
    let backends: RemoteBackend[];
    let files = 0;

    before(async () => {
      server = await startServer();
    });
    after(() => server.stop());
    beforeEach(async () => {
      cable = await Cable.open(server.port);
      backends = [];
    });
    afterEach(async () => {
      await cable.accept();
      await Promise.all(
        backends.map((backend) => backend.shutdown({ graceMs: { interrupt: 0, hangup: 0 } })),
      );
      cable.dispose();
    });

    const connect = async (
      recovery: Partial<RecoveryOptions> = {},
      url = cable.url,
      clock: Clock = systemClock,
    ) => {
      const connector = webSocketConnector({ url });
      const backend = await RemoteBackend.connect({ connector, clientName: 'faults', recovery, clock });
      backends.push(backend);
      return backend;
    };
    const start = (
      backend: RemoteBackend,
      script: string,
      some: Partial<StartParams> = {},
    ): Promise<ExecProcess> =>
      backend.start({
        processId: 'p',
        argv: ['/bin/sh', '-c', script],
        cwd: server.folder,
        env: { PATH },
        tty: false,
        ...some,
      });
    /** Names a file by which a test reaches the server's machine without the connection. */
    const newFile = () => `go-${(files += 1)}`;
    const touch = async (file: string) => {
      const { writeFile } = await import('node:fs/promises');
      await writeFile(`${server.folder}/${file}`, '');
    };
    const cut = async (backend: RemoteBackend) => {
      cable.refuse();
      cable.cut();
      await until(() => backend.connection.kind, 'recovering');
    };
    const untilConnected = (backend: RemoteBackend) => until(() => backend.connection.kind, 'connected');

    describe('that is cut', () => {
      it('is taken up again, and nothing is lost', async () => {
        const backend = await connect();
        const states: string[] = [];
        backend.onDidChangeConnection(({ kind }) => states.push(kind));
        const script = 'i=0; while [ $i -lt 300 ]; do echo $i; i=$((i+1)); sleep 0.002; done; exit 4';
        const process = await start(backend, script);
        const collected = collectEvents(process);
        for (let times = 1; times <= 5; times++) {
          cable.cut();
          await until(() => states.length >= 2 * times && backend.connection.kind === 'connected');
        }
        const { events, stdout, exit } = await collected;
        assert.equal(stdout, Array.from({ length: 300 }, (_, index) => `${index}\n`).join(''));
        assert.equal(exit?.exitCode, 4);
        const numbers = events.map((event) => ('seq' in event ? event.seq : event.type));
        assert.deepEqual(
          numbers,
          events.map((_, index) => index + 1),
        );
        assert.deepEqual(states.slice(0, 4), ['recovering', 'connected', 'recovering', 'connected']);
      });

      it('says why and until when it tries', async () => {
        const backend = await connect({ limitMs: 30_000 });
        const before = Date.now();
        await cut(backend);
        const state = backend.connection;
        assert.ok(state.kind === 'recovering');
        assert.deepEqual(state.reason, { kind: 'ended', ended: 'the connection was reset' });
        assert.ok(state.since >= before && state.until === state.since + 30_000);
        await cable.accept();
        await untilConnected(backend);
      });

      it('brings what happened meanwhile: output, exit and close', async () => {
        const backend = await connect();
        const file = newFile();
        const done = newFile();
        const process = await start(
          backend,
          `echo before; ${waitFor(file)}; echo out; echo err >&2; touch ${done}; exit 6`,
        );
        await untilOutput(process, 'before');
        await cut(backend);
        await touch(file);
        const { existsSync } = await import('node:fs');
        await until(() => existsSync(`${server.folder}/${done}`));
        assert.equal(process.info().state, 'running');
        const read = process.read({ afterSeq: 1, waitMs: 60_000 });
        await cable.accept();
        assert.ok((await read).chunks.length > 0);
        const { stdout, stderr, exit, events } = await collectEvents(process);
        assert.deepEqual([stdout, stderr, exit?.exitCode], ['before\nout\n', 'err\n', 6]);
        assert.deepEqual(
          events.map((event) => event.type === 'gap'),
          events.map(() => false),
        );
      });

      it('shows as a gap what the server could not keep, to the byte where the server says', async () => {
        const backend = await connect();
        const file = newFile();
        const done = newFile();
        const count = 6_000_000;
        const process = await start(
          backend,
          `echo before; ${waitFor(file)}; head -c ${count} /dev/zero; echo end; touch ${done}; ${waitFor(newFile())}`,
        );
        await untilOutput(process, 'before');
        await cut(backend);
        await touch(file);
        const { existsSync } = await import('node:fs');
        await until(() => existsSync(`${server.folder}/${done}`));
        await cable.accept();
        await untilConnected(backend);
        await untilOutput(process, 'end\n');
        const { output } = process.info();
        if (isOwn) {
          assert.equal(output.bytes + output.missing.bytes, 'before\nend\n'.length + count);
        } else {
          assert.equal(output.missing.bytes, 0);
          assert.ok(output.bytes < 1_100_000);
        }
        const gap = await untilEvent(process, 'gap');
        assert.equal(gap.fromSeq, 2);
        assert.equal(gap.chunks, output.missing.chunks);
        await process.terminate();
      });

      it('goes on with a flood of live output', async () => {
        const backend = await connect();
        const count = 30_000_000;
        const process = await start(backend, `head -c ${count} /dev/zero; exit 3`);
        await untilEvent(process, 'output');
        const states: string[] = [];
        backend.onDidChangeConnection(({ kind }) => states.push(kind));
        for (let times = 1; times <= 3; times++) {
          cable.cut();
          await until(() => states.length, 2 * times);
          // The next cut waits until all retained output, and the early output, has been read. If output is lost
          // between chunks that did arrive, only the number of chunks is known.
          const { chunks } = process.info().output;
          const hasJoined = () => process.info().output.chunks > chunks + 80;
          await until(() => hasJoined() || process.info().state === 'closed');
        }
        await untilEvent(process, 'closed');
        const { output, exit } = process.info();
        assert.equal(exit?.exitCode, 3);
        if (isOwn) {
          assert.equal(output.bytes + output.missing.bytes, count);
        } else {
          assert.ok(output.bytes + output.missing.chunks * 8_192 >= count);
        }
      });

      for (const direction of ['toServer', 'toClient'] as const) {
        it(`writes input exactly once that was on its way ${direction}`, async () => {
          const backend = await connect();
          const process = await start(backend, 'echo ready; cat', { pipeStdin: true });
          await untilOutput(process, 'ready');
          const happened = cable.cutAfter(0, direction);
          const lines = Array.from({ length: 100 }, (_, index) => `line ${index}\n`);
          const writes = lines.map((line) => process.write(utf8(line)));
          await happened;
          const later = process.write(utf8('last\n'));
          assert.deepEqual(
            await Promise.all([...writes, later]),
            [...lines, 'last'].map(() => 'accepted'),
          );
          await untilOutput(process, 'last\n');
          const { chunks } = await process.read();
          const text = Buffer.concat(chunks.map(({ bytes }) => bytes)).toString();
          assert.equal(text, `ready\n${lines.join('')}last\n`);
        });

        it(`does not start a process twice that was on its way ${direction}, and leaves nothing running`, async () => {
          const backend = await connect();
          const seconds = `100${files}${direction === 'toServer' ? '.25' : '.75'}${process.pid}`;
          files += 1;
          const happened = cable.cutAfter(0, direction);
          const starting = start(backend, `exec sleep ${seconds}`);
          await assert.rejects(starting, (error: Error & { wireMessage: string }) => {
            assert.match(error.message, /connection was lost while "p" was starting/);
            assert.match(error.wireMessage, /^exec-server transport disconnected/);
            return true;
          });
          await happened;
          await untilConnected(backend);
          const isThere = async () =>
            (await listProcesses()).some(
              ({ command, pid }) => command === 'sleep' && argumentsOf(pid) === seconds,
            );
          await until(async () => !(await isThere()));
          // The id can be used again.
          const next = await start(backend, 'exit 5');
          assert.equal((await collectEvents(next)).exit?.exitCode, 5);
        });
      }

      it('answers every start, even when it is shut down at once', async () => {
        const backend = await connect();
        const seconds = `200${(files += 1)}.25${process.pid}`;
        void cable.cutAfter(0, 'toClient');
        await assert.rejects(start(backend, `exec sleep ${seconds}`), /connection was lost while/);
        await backend.shutdown();
        // Codex answers when it has sent the signal, which may be a moment before the end.
        await until(async () => {
          const rows = await listProcesses();
          return !rows.some(({ command, pid }) => command === 'sleep' && argumentsOf(pid) === seconds);
        });
      });

      it('makes calls wait, and they work afterwards', async () => {
        const backend = await connect();
        const process = await start(backend, 'echo ready; cat', { pipeStdin: true });
        await untilOutput(process, 'ready');
        await cut(backend);
        const other = start(backend, 'echo other', { processId: 'other' });
        const written = process.write(utf8('while away\n'));
        await cable.accept();
        assert.equal((await collectEvents(await other)).stdout, 'other\n');
        assert.equal(await written, 'accepted');
        await untilOutput(process, 'while away');
        cable.refuse();
        cable.cut();
        const stopped = process.stop();
        await cable.accept();
        const report = await stopped;
        assert.deepEqual([report.running, report.exited], [true, true]);
      });

      it('is lost for good when no server answers in time', async () => {
        const backend = await connect({ limitMs: 400, lastRetryMs: 100 });
        const process = await start(backend, 'sleep 100', { pipeStdin: true });
        const failed = untilEvent(process, 'failed');
        const read = process.read({ waitMs: 60_000 });
        await cut(backend);
        const write = assert.rejects(
          process.write(utf8('x')),
          /^ExecError: The connection to the exec-server was lost/,
        );
        const text =
          /^exec-server transport disconnected: the connection was reset; failed to resume exec-server session: recovery timed out after 0.4s/;
        assert.match(wireText((await failed).failure), text);
        assert.match(wireText((await read).failure), text);
        await write;
        const state: ConnectionState = backend.connection;
        assert.equal(state.kind, 'lost');
        await cable.accept();
        await assert.rejects(
          start(backend, 'true', { processId: 'next' }),
          /connection to the exec-server was lost/,
        );
        assert.equal(process.info().state, 'failed');
      });

      it('is lost at once when the server does not know it any more', async () => {
        const backend = await connect();
        const process = await start(backend, 'sleep 100');
        const failed = untilEvent(process, 'failed');
        const next = await startServer();
        cable.target = next.port;
        const { opened } = cable;
        cable.cut();
        assert.match(
          wireText((await failed).failure),
          /failed to resume exec-server session: exec-server rejected request \(-32600\): unknown session id/,
        );
        assert.equal(cable.opened, opened + 1);
        await next.stop();
      });

      it('does not keep a shutdown waiting', async () => {
        const clock = new FakeClock();
        const backend = await connect({}, cable.url, clock);
        const process = await start(backend, 'sleep 100');
        await cut(backend);
        const down = backend.shutdown();
        clock.advance(SHUTDOWN_WAIT_MS);
        await down;
        assert.match(wireText((await untilEvent(process, 'failed')).failure), /closed by this side/);
      });
    });

    it('is taken up again although the server believes that the earlier one is alive @all', async () => {
      // The real server never notices that the connection is gone. Our client gives up in its own time.
      const backend = await connect(isOwn ? {} : { limitMs: 1_000 });
      const process = await start(backend, 'sleep 100');
      cable.cut('client');
      if (isOwn) {
        await until(() => backend.connection.kind, 'recovering');
        await untilConnected(backend);
        assert.deepEqual(await process.terminate(), { running: true });
      } else {
        const { failure } = await untilEvent(process, 'failed');
        assert.match(wireText(failure), /recovery timed out after 1s \(.*already attached/);
        // Ends the server's connection, so that the server can end with the test.
        cable.cut();
      }
    });

    it('is not affected by the lost connection of another client', async () => {
      const one = await connect();
      const other = await connect({}, server.url);
      const [first, second] = await Promise.all(
        [one, other].map((backend, index) =>
          start(backend, `echo ${index}; cat; exit ${index}`, { pipeStdin: true }),
        ),
      );
      assert.ok(first !== undefined && second !== undefined);
      cable.cut();
      await second.write(utf8('second\n'));
      await untilOutput(second, '1\nsecond\n');
      await first.write(utf8('first\n'));
      await untilOutput(first, '0\nfirst\n');
      assert.equal(other.connection.kind, 'connected');
    });
  });
}

function argumentsOf(pid: number): string | undefined {
  return commandLine(pid).trim().split(' ')[1];
}
