import assert from 'node:assert/strict';
import { once } from 'node:events';
import type net from 'node:net';

import { type WebSocket, WebSocketServer } from 'ws';

import { describeFailure, ExecError, type ProcessInfo } from '../../src/core/index.js';
import { RemoteBackend, webSocketConnector } from '../../src/remote/index.js';
import { adoptProcesses } from '../../src/sessions/environments/index.js';
import { SessionList } from '../../src/sessions/list/index.js';
import { FakeClock } from '../support/fakeClock.js';
import { NOTHING_READ, wireDescription } from '../support/wireDescription.js';

type Params = Readonly<Record<string, unknown>>;
type Respond = (method: string, params: Params) => object;

/** The characters of a text that nobody would write. */
const MANY = 1_000_000;
/** More than is kept of all that a server says about one process or one error. */
const KEPT = 300_000;

const LONG = 'x'.repeat(MANY);
const GREETING = {
  sessionId: 's',
  environmentInfo: { platformOs: 'linux' },
  capabilities: { list: true, attach: true },
};
const DESCRIPTION = wireDescription('h', { argv: ['sleep', '9'] });
const result = (value: unknown) => ({ result: value });
const nothingRead = result(NOTHING_READ);

describe('Texts of a server that are too long @all', () => {
  const servers: WebSocketServer[] = [];
  const backends: RemoteBackend[] = [];

  afterEach(async () => {
    for (const backend of backends.splice(0)) {
      await backend.shutdown();
    }
    for (const server of servers.splice(0)) {
      server.clients.forEach((client) => client.terminate());
      const closed = once(server, 'close');
      server.close();
      await closed;
    }
  });

  /** Connects to a real WebSocket server with these answers. */
  async function connect(respond: Respond, greeting: object = GREETING): Promise<RemoteBackend> {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', maxPayload: 1024 * 1024 });
    servers.push(server);
    server.on('connection', (socket: WebSocket) => {
      socket.on('message', (data: Buffer) => {
        const { id, method, params } = JSON.parse(data.toString()) as {
          id?: number;
          method: string;
          params: Params;
        };
        if (id !== undefined) {
          socket.send(
            JSON.stringify({ id, ...(method === 'initialize' ? result(greeting) : respond(method, params)) }),
          );
        }
      });
    });
    await once(server, 'listening');
    const { port } = server.address() as net.AddressInfo;
    const backend = await RemoteBackend.connect({
      connector: webSocketConnector({ url: `ws://127.0.0.1:${port}` }),
      clientName: 'test',
      connectMs: 60_000,
      initializeMs: 60_000,
    });
    backends.push(backend);
    return backend;
  }

  function withProcesses(processes: readonly object[]): Promise<RemoteBackend> {
    return connect((method) => {
      switch (method) {
        case 'process/list':
          return result({ processes });
        case 'process/attach':
          return result({ process: processes[0] });
        default:
          return nothingRead;
      }
    });
  }

  const cases: Readonly<Record<string, object>> = {
    'a command line': { metadata: { commandLine: LONG } },
    'a title': { metadata: { title: LONG } },
    'a name': { metadata: { origin: { kind: 'agent', name: LONG } } },
    'a note of somebody else': { metadata: { note: [{ [LONG]: LONG }] } },
    'many notes': { metadata: { notes: Array.from({ length: 500_000 }, (_, index) => index) } },
    'an argument': { argv: ['sh', '-c', LONG] },
    'many arguments': { argv: Array.from({ length: 500_000 }, () => 'x') },
    'a directory': { cwd: `file:///${LONG}` },
  };
  for (const [title, said] of Object.entries(cases)) {
    it(`are cut before they are kept: ${title}`, async () => {
      const backend = await withProcesses([{ ...DESCRIPTION, ...said }]);
      const [info] = await backend.list();
      assert.ok(info);
      assert.ok(sizeOf(info) <= KEPT, 'what is listed');
      const list = new SessionList({ clock: new FakeClock() });
      const { adopted } = await adoptProcesses(list, { id: 'e', label: 'E', backend }, '1.2.3');
      assert.equal(adopted, 1);
      const [session] = list.sessions;
      assert.ok(session);
      assert.ok(sizeOf(session.process.info()) <= KEPT, 'what is attached to');
      assert.ok(sizeOf(session.request) + session.commandLine.length <= KEPT, 'what is shown');
    });
  }

  it('leave no half of a command that could be run again', async () => {
    const backend = await withProcesses([{ ...DESCRIPTION, argv: ['rm', '-rf', `/tmp/${LONG}`] }]);
    const [info] = await backend.list();
    assert.deepEqual(info?.argv, []);
    assert.match(String(info.metadata['commandLine']), /^rm -rf \/tmp\/x+$/);
  });

  it('do not cut what a real process has', async () => {
    const script = 'y'.repeat(128 * 1024);
    const metadata = { commandLine: 'z'.repeat(20_000), title: 't', origin: { kind: 'agent', name: 'A' } };
    const backend = await withProcesses([{ ...DESCRIPTION, argv: ['sh', '-c', script], metadata }]);
    const [info] = await backend.list();
    assert.deepEqual([info?.argv, info?.metadata], [['sh', '-c', script], metadata]);
  });

  it('are not accepted as handles', async () => {
    const backend = await withProcesses([DESCRIPTION, { ...DESCRIPTION, handle: LONG }]);
    assert.deepEqual(
      (await backend.list()).map(({ processId }: ProcessInfo) => processId),
      ['h'],
    );
  });

  it('of an error are cut, in its message and in the failure beside it', async () => {
    const failures = [
      { kind: 'notText', where: LONG },
      { kind: 'badVariableName', more: [LONG], name: LONG },
    ];
    for (const failure of failures) {
      const backend = await connect(() => ({
        error: { code: -32603, message: LONG, data: { failure, and: LONG } },
      }));
      const error: unknown = await backend.list().catch((thrown: unknown) => thrown);
      assert.ok(error instanceof ExecError);
      assert.ok(sizeOf(error.failure) <= 40_000);
      assert.ok(error.message.length + describeFailure(error.failure).length <= 80_000);
    }
  });

  it('are rejected in its greeting', async () => {
    const backend = await connect(() => nothingRead, {
      ...GREETING,
      environmentInfo: {
        platformOs: 'linux',
        cwd: `file:///${LONG}`,
        userHomeDir: 'file:///home',
        shell: { name: 'sh', path: LONG },
      },
    });
    assert.deepEqual(backend.host, { platform: 'linux', homeDir: '/home' });
    await assert.rejects(
      connect(() => nothingRead, { ...GREETING, sessionId: LONG }),
      (error: unknown) => {
        assert.ok(error instanceof ExecError);
        assert.equal(error.failure.kind, 'notExecServer');
        assert.ok(error.message.length < 1_000);
        return true;
      },
    );
  });

  it('cannot make the list of pages endless', async () => {
    const greeting = { ...GREETING, capabilities: { ...GREETING.capabilities, listPages: true } };
    let asked = 0;
    const page = (processes: readonly object[]) => result({ processes, next: `${(asked += 1)}` });
    const described = (some: object) => ({ ...DESCRIPTION, handle: `h${asked}`, ...some });
    const command = { argv: ['sh', '-c', LONG.slice(0, KEPT - 60_000)] };
    const endless: readonly (readonly [() => readonly object[], ExecError['failure']['kind'], number])[] = [
      [
        () => Array.from({ length: 1_000 }, (_, index) => described({ handle: `${asked} ${index}` })),
        'tooManyProcesses',
        11,
      ],
      [
        () =>
          Array.from({ length: 20 }, (_, index) => described({ handle: `${asked} ${index}`, ...command })),
        'listTooLarge',
        14,
      ],
      [() => [], 'badAnswer', 1],
    ];
    for (const [processes, kind, pages] of endless) {
      asked = 0;
      const backend = await connect(
        (method) => (method === 'process/listPage' ? page(processes()) : nothingRead),
        greeting,
      );
      await assert.rejects(backend.list(), (error: unknown) => {
        assert.ok(error instanceof ExecError);
        assert.equal(error.failure.kind, kind);
        return true;
      });
      assert.equal(asked, pages);
      assert.equal(backend.connection.kind, 'connected');
    }
  });

  it('are not taken in a list of more than 10,000 processes, which is refused with what to do', async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ ...DESCRIPTION, handle: `h${index}` }));
    assert.equal((await (await withProcesses(many(10_000))).list()).length, 10_000);
    await assert.rejects((await withProcesses(many(10_001))).list(), (error: unknown) => {
      assert.ok(error instanceof ExecError);
      assert.equal(
        describeFailure(error.failure),
        'The exec-server lists 10001 processes, more than the 10000 that can be looked through. ' +
          'End some of them there, or restart the exec-server, and connect again.',
      );
      return true;
    });
  });
});

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length;
}
