import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';

import type { ExecProcess, PortListener, StartParams } from '../../src/core/index.js';
import { assertRejects } from '../support/assertRejects.js';
import { untilEvent } from '../support/collect.js';
import { INHERITING } from '../support/envPolicy.js';
import { freePort } from '../support/freePort.js';
import { killIfThere } from '../support/killIfThere.js';
import { describeOnLinux } from '../support/onLinux.js';
import { until } from '../support/until.js';
import { sh } from '../support/startParams.js';
import { listeningKinds, testsOf, useBackend } from './backends.js';

const node = (port: number, host: string) =>
  `exec node -e 'require("net").createServer().listen({ port: ${port}, host: "${host}", ipv6Only: ${host === '::1'} })'`;
/** Takes one client, which it greets, and ends. */
const ONE_CLIENT = (port: number) => `exec python3 -c "
import socket
s = socket.create_server(('127.0.0.1', ${port}))
s.accept()[0].sendall(b'you are the first')
"`;
/** The socket is made by a process that ends, and two others have inherited it. */
const FORKS = (port: number) => `exec python3 -c "
import os, socket, time
s = socket.create_server(('127.0.0.1', ${port}))
for _ in range(2):
  if os.fork() == 0: time.sleep(1000)
"`;
/** Ends with a line of input; its child listens on. The first to be found is the one with the lower number. */
const HANDED_ON = (port: number) => `exec python3 -c "
import os, socket, time
s = socket.create_server(('127.0.0.1', ${port}))
child = os.fork()
if child == 0: time.sleep(1000)
print(child, flush=True)
input()
"`;
const NOBODY = 'setpriv --reuid=65534 --regid=65534 --clear-groups';

/** Programs that listen, and the words about each. */
const programs: readonly (readonly [
  what: string,
  script: (port: number) => string,
  expected: Partial<PortListener>,
])[] = [
  ['127.0.0.1', (port) => node(port, '127.0.0.1'), { addresses: ['127.0.0.1'], command: 'node' }],
  ['every address', (port) => node(port, '::'), { addresses: ['::'], command: 'node' }],
  ['IPv6 alone', (port) => node(port, '::1'), { addresses: ['::1'], command: 'node' }],
  [
    'another address of the loopback, from a child',
    (port) => `python3 -m http.server --bind 127.0.0.7 ${port} & wait`,
    { addresses: ['127.0.0.7'], command: 'python3 -m http.server' },
  ],
  [
    'two addresses, with two sockets',
    (port) =>
      `exec node -e 'for (const host of ["127.0.0.1", "::1"]) require("net").createServer().listen(${port}, host)'`,
    { addresses: ['127.0.0.1', '::1'] },
  ],
  ['a socket that children have inherited', FORKS, { addresses: ['127.0.0.1'] }],
  ['a daemon with a mark', (port) => `setsid ${node(port, '::').slice(5)} >/dev/null 2>&1 </dev/null &`, {}],
  [
    'a daemon without a mark, while its parent runs',
    (port) => `env -i "$(command -v node)" -e '
require("child_process").spawn(process.execPath,
  ["-e", "require(\`net\`).createServer().listen(${port})"], { detached: true })'`,
    {},
  ],
  ...(process.getuid?.() === 0
    ? [
        [
          'another user',
          (port: number) => `exec ${NOBODY} ${node(port, '127.0.0.1').slice(5)}`,
          { user: 'nobody', command: 'node' },
        ] as const,
      ]
    : []),
];

for (const kind of listeningKinds.filter(({ server }) => server !== 'codex')) {
  describeOnLinux(`The listener at a port of the machine of the ${kind.name} backend`, () => {
    const fixture = useBackend(kind);
    const it = testsOf(kind);
    const seen: PortListener[] = [];
    const servers: Server[] = [];
    afterEach(() => {
      servers.splice(0).forEach((server) => server.close());
      seen.splice(0).forEach(({ pid }) => {
        if (pid !== undefined && pid !== process.pid) {
          killIfThere(pid);
        }
      });
    });

    const start = async (script: string, some: Partial<StartParams> = {}): Promise<ExecProcess> =>
      fixture.start({ argv: sh(script), envPolicy: INHERITING, ...some });
    const listenersOnce = async (started: ExecProcess, port: number): Promise<readonly PortListener[]> => {
      let found: readonly PortListener[] = [];
      await until(async () => {
        found = await started.listeners(port);
        seen.push(...found);
        return found.length > 0;
      });
      return found;
    };
    const listen = async (host: string): Promise<number> => {
      const server = createServer().listen(0, host);
      servers.push(server);
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    };

    // The way to a backend makes no difference to what programs do.
    for (const [what, script, expected] of kind.server === undefined ? programs : programs.slice(0, 1)) {
      it(`is a process of its session: ${what}`, async () => {
        const port = await freePort();
        const started = await start(script(port));
        const found = async () => {
          const [first, ...more] = await listenersOnce(started, port);
          assert.deepEqual(more, []);
          return first ?? assert.fail();
        };
        await until(async () => {
          const { addresses } = await found();
          return addresses.length === (expected.addresses?.length ?? 1);
        });
        const listener = await found();
        assert.deepEqual(
          { ...listener, addresses: [...listener.addresses].sort() },
          { ...listener, own: true, processId: started.processId, ...expected },
        );
        assert.notEqual(listener.pid, undefined);
      });
    }

    it('is reported after its command has ended, until it ends itself', async () => {
      const port = await freePort();
      const started = await start(`setsid ${node(port, '::').slice(5)} >/dev/null 2>&1 </dev/null &`);
      await untilEvent(started, 'closed');
      const [listener] = await listenersOnce(started, port);
      assert.equal(listener?.own, true);
      killIfThere(listener.pid ?? assert.fail());
      await until(async () => (await started.listeners(port)).length, 0);
    });

    it('is the process that holds the socket now, after its first holder has ended', async () => {
      const port = await freePort();
      const started = await start(HANDED_ON(port), { pipeStdin: true });
      await listenersOnce(started, port);
      await started.write(Buffer.from('\n'));
      await untilEvent(started, 'exited');
      const [then] = await listenersOnce(started, port);
      const { chunks } = await started.read();
      const child = Number(Buffer.concat(chunks.map(({ bytes }) => bytes)).toString());
      assert.deepEqual([then?.own, then?.pid], [true, child]);
    });

    it('is told apart from processes that listened before the start, or began later', async () => {
      const before = await listen('127.0.0.1');
      const started = await start('exec sleep 1000');
      const ofBefore = await started.listeners(before);
      assert.deepEqual(
        ofBefore.map(({ pid, own, later, processId }) => [pid, own, later, processId]),
        [[process.pid, false, false, undefined]],
      );
      const after = await listen('127.0.0.1');
      const ofAfter = await started.listeners(after);
      assert.deepEqual(
        ofAfter.map(({ pid, own, later }) => [pid, own, later]),
        [[process.pid, false, true]],
      );
      // For a process that is started now, both have listened before.
      const next = await start('exec sleep 1000', { processId: 'next' });
      assert.deepEqual(
        (await next.listeners(after)).map(({ later }) => later),
        [false],
      );
      assert.equal((await started.listeners(after))[0]?.later, true);
    });

    it('is another process of the backend, by its id', async () => {
      const port = await freePort();
      const other = await start(node(port, '127.0.0.1'), { processId: 'other' });
      await listenersOnce(other, port);
      const started = await start('exec sleep 1000', { processId: 'started' });
      assert.deepEqual(
        (await started.listeners(port)).map(({ own, later, processId }) => [own, later, processId]),
        [[false, false, 'other']],
      );
    });

    it('is found without a connection: a server that takes one client has still to get it', async () => {
      const port = await freePort();
      const started = await start(ONE_CLIENT(port));
      await listenersOnce(started, port);
      assert.equal(await fixture.backend.isListening(port), true);
      const [greeting] = (await once(connect(port, '127.0.0.1'), 'data')) as [Buffer];
      assert.equal(greeting.toString(), 'you are the first');
      await untilEvent(started, 'exited');
    });

    it('is an error for a number that is not a port', async () => {
      const started = await start('exec sleep 1000');
      for (const port of [0, 65_536, 1.5]) {
        const error = await assertRejects(started.listeners(port), -32602, /^port must be/);
        assert.deepEqual(error.failure, { kind: 'badPort', port });
      }
      assert.deepEqual(await started.listeners(await freePort()), []);
    });
  });
}

for (const kind of listeningKinds.filter(({ server }) => server === 'codex')) {
  describe(`The listener at a port of the machine of the ${kind.name} backend`, () => {
    const fixture = useBackend(kind);

    it('cannot be told', async () => {
      assert.equal(fixture.backend.capabilities.listeners, false);
      const started = await fixture.start({ argv: ['sleep', '1000'] });
      const text = 'the exec-server does not support listeners';
      const error = await assertRejects(started.listeners(80), -32600, text);
      assert.match(error.message, /cannot tell who listens/);
    });
  });
}
