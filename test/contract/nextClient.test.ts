import assert from 'node:assert/strict';

import { type Clock, type ExecEvent, type ExecProcess, systemClock } from '../../src/core/index.js';
import {
  type Connector,
  type KnownSession,
  RemoteBackend,
  type RemoteBackendOptions,
  type SessionMemory,
  webSocketConnector,
} from '../../src/remote/index.js';
import { startCodexServer, ifCodex } from '../support/codexServer.js';
import { collectReads, untilOutput } from '../support/collect.js';
import { type RunningServer, startOwnServer } from '../support/execServer.js';
import { until } from '../support/until.js';
import { params, sh } from '../support/startParams.js';

/** The memory of a window of the window before, as it is stored: as text. */
class StoredMemory implements SessionMemory {
  #text: string | undefined;

  read(): KnownSession | undefined {
    return this.#text === undefined ? undefined : (JSON.parse(this.#text) as KnownSession);
  }

  write(session: KnownSession | undefined): void {
    this.#text = session && JSON.stringify(session);
  }
}

const ANSWERING = 'echo ready; while read -r line; do echo "got $line"; done';

const FAST = { interrupt: 0, hangup: 0, terminate: 0 };

const servers = [
  { name: 'our exec-server', start: startOwnServer },
  ...ifCodex({ name: 'codex exec-server @all', start: startCodexServer }),
];

for (const { name, start } of servers) {
  describe(`The next client of ${name} at an address`, () => {
    let server: RunningServer;
    let memory: StoredMemory;
    const backends: RemoteBackend[] = [];

    before(async () => {
      server = await start();
    });

    after(() => server.stop());

    beforeEach(() => {
      memory = new StoredMemory();
    });

    afterEach(async () => {
      await Promise.all(backends.splice(0).map((backend) => backend.shutdown({ graceMs: FAST })));
    });

    const connect = async (options: Partial<RemoteBackendOptions> = {}) => {
      const connector = webSocketConnector({ url: server.url });
      const backend = await RemoteBackend.connect({ connector, clientName: 'test', memory, ...options });
      backends.push(backend);
      return backend;
    };

    it('finds the processes of the earlier client, reads all their output, and goes on typing', async () => {
      const before = await connect();
      const metadata = { title: 'Answers' };
      const first = await before.start(
        params({ processId: 'answers', argv: sh(ANSWERING), pipeStdin: true, metadata }),
      );
      await first.write(new TextEncoder().encode('one\n'));
      await untilOutput(first, 'got one');
      before.disconnect();

      const next = await connect();
      const [info] = await next.list();
      assert.deepEqual([info?.processId, info?.argv, info?.metadata], ['answers', sh(ANSWERING), metadata]);
      const again = await next.attach('answers');
      await again.write(new TextEncoder().encode('two\n'));
      await untilOutput(again, 'ready\ngot one\ngot two\n');
      assert.equal(again.info().state, 'running');
    });

    it('sees how it ended meanwhile', async () => {
      const before = await connect();
      // It ends once no client is connected: the file is made then.
      const flag = `${server.folder}/flag-${name.length}`;
      const script = `echo begin; while [ ! -e ${flag} ]; do sleep 0.05; done; echo end; exit 3`;
      await untilOutput(await before.start(params({ processId: 'ends', argv: sh(script) })), 'begin');
      before.disconnect();
      const other = await connect({ memory: new StoredMemory() });
      await collectReads(await other.start(params({ processId: 'touch', argv: ['touch', flag] })));

      let next = await connect();
      // It ends a moment after the flag. A client then knows the end before it has read the output.
      await until(
        async () => {
          next.disconnect();
          next = await connect();
          return (await next.list())[0]?.exit?.exitCode;
        },
        (exitCode) => exitCode === 3,
      );
      const ended = await collectReads(await next.attach('ends'));
      assert.deepEqual([ended.output, ended.exitCode], ['begin\nend\n', 3]);
    });

    if (name === 'our exec-server') {
      it('learns the sizes of a terminal, and the modes where its output begins', async () => {
        const before = await connect();
        const script =
          'stty -echo; printf "\\033[?1000h\\033[?2004h"; seq 300000; while read -r line; do echo "<$line>"; done';
        const size = { columns: 80, rows: 24 };
        const narrow = { columns: 60, rows: 20 };
        const first = await before.start(params({ processId: 'tty', argv: sh(script), tty: true, size }));
        await untilOutput(first, '300000\r\n');
        await first.resize(narrow);
        await first.write(new TextEncoder().encode('one\n'));
        await untilOutput(first, '<one>');
        const sizes = async (process: ExecProcess) => {
          const { chunks, evicted, missing } = await process.read();
          const known = chunks.flatMap((chunk) => (chunk.size === undefined ? [] : [chunk.size]));
          return { known, hole: evicted ?? missing };
        };
        assert.deepEqual((await sizes(first)).known, [size, narrow]);
        before.disconnect();

        const again = await (await connect()).attach('tty');
        const events: ExecEvent[] = [];
        again.subscribe({}, (event) => events.push(event));
        await until(() => events.some((event) => event.type === 'output' && event.size?.columns === 60));
        assert.deepEqual((await sizes(again)).known, [size, narrow]);
        const gap = events.find((event) => event.type === 'gap');
        assert.equal(gap?.modes, '\u001b[?1000h\u001b[?2004h');
        await again.write(new TextEncoder().encode('two\n'));
        await again.resize(size);
        await untilOutput(again, '<two>');
      });
    }

    it('gives no process a name that is taken', async () => {
      const before = await connect();
      const gone = await before.start(params({ processId: 'same', argv: sh('exit 0') }));
      await collectReads(gone);
      await before.start(params({ processId: 'stays', argv: ['sleep', '1000'] }));
      gone.release();
      await before.remove('same');
      before.disconnect();

      const next = await connect();
      assert.deepEqual(
        (await next.list()).map(({ processId }) => processId),
        ['stays'],
      );
      const same = await next.start(params({ processId: 'same', argv: sh('echo anew') }));
      assert.equal((await collectReads(same)).output, 'anew\n');
    });

    it('waits for a server that believes that the earlier client is connected', async () => {
      const before = await connect();
      await before.start(params({ processId: 'stays', argv: ['sleep', '1000'] }));
      const address = webSocketConnector({ url: server.url });
      let attempts = 0;
      const connector: Connector = {
        label: address.label,
        connect: (signal) => {
          attempts += 1;
          if (attempts === 2) {
            before.disconnect();
          }
          return address.connect(signal);
        },
      };
      // However slow this machine is, no time passes.
      const clock: Clock = {
        now: () => 0,
        wallTime: () => Date.now(),
        after: (delayMs, run) => systemClock.after(delayMs, run),
      };
      const next = await connect({ connector, clock });
      assert.equal((await next.list())[0]?.processId, 'stays');
      assert.ok(attempts >= 2);
    });

    it('does not show what the server no longer has', async () => {
      const before = await connect();
      const known = (await started(before, memory)) ?? assert.fail();
      before.disconnect();
      const forgotten = known.processes.map((one) => ({ ...one, processId: 'gone', wireId: '7-gone' }));
      memory.write({ ...known, processes: [...forgotten, ...known.processes] });
      const next = await connect();
      assert.deepEqual(
        (await next.list()).map(({ processId }) => processId),
        ['process-1'],
      );
      assert.deepEqual(memory.read(), known);
    });

    it('starts afresh if the server has no earlier processes', async () => {
      const before = await connect();
      const { sessionId } = (await started(before, memory)) ?? assert.fail();
      memory.write({ sessionId: `${sessionId}0`, names: 1, processes: [] });
      const next = await connect();
      assert.deepEqual([await next.list(), memory.read()], [[], undefined]);
      assert.notEqual((await started(next, memory))?.sessionId, sessionId);
    });
  });
}

/** The stored memory once a process runs. */
async function started(backend: RemoteBackend, memory: SessionMemory): Promise<KnownSession | undefined> {
  await backend.start(params({ argv: ['sleep', '1000'] }));
  await until(() => memory.read()?.processes.length, 1);
  return memory.read();
}
