import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

import { freePort } from '../../support/freePort.js';
import type { DeclareToolTest, ToolsFixture } from '../toolsSetup.js';

/** A server that begins to listen once it gets a line. */
const LATE = (port: number) =>
  `process.stdin.once('data', () => require('net').createServer().listen(${port}, '127.0.0.1'))`;
/** It takes one client, and ends. */
const ONE_CLIENT = (port: number) => `
import socket
s = socket.create_server(('127.0.0.1', ${port}))
s.accept()[0].sendall(b'you are the first')
`;

/** What a call tells of a port. */
export function portTests(test: DeclareToolTest): void {
  test('waiting for a port finds a server that comes up, and names it', async ({ call, start }) => {
    const port = await freePort();
    const session = await start({ argv: [process.execPath, '-e', LATE(port)], stdin: true });
    const none = await call('wait_for', { session, port, timeout_ms: 10 });
    assert.equal(none.structured['ending'], 'time', none.text);
    const coming = call('wait_for', { session, port });
    await call('write_stdin', { session, chars: '\n' });
    const condition = (await coming).line('Condition');
    assert.match(
      condition,
      new RegExp(`^port met: ${port} is listened on by node \\(pid \\d+, session ${session}\\)$`),
    );
  });

  test('waiting for a port takes no client away from a server', async ({ call, start }) => {
    const port = await freePort();
    const session = await start({ argv: ['python3', '-c', ONE_CLIENT(port)] });
    assert.deepEqual((await call('wait_for', { session, port })).structured['met'], ['port']);
    const [greeting] = (await once(connect(port, '127.0.0.1'), 'data')) as [Buffer];
    assert.equal(greeting.toString(), 'you are the first');
  });

  test('a port that somebody else had before does not count, and is told whose it is', async (fixture) => {
    await withForeign(async (listen) => {
      const port = await listen();
      const session = await serverAt(fixture, port);
      const { call } = fixture;
      const whose = `${port} is listened on by node.* \\(pid ${process.pid}\\), which is not of session ${session} and has listened since before its start$`;
      const ended = await call('wait_for', { session, port, exit: true });
      assert.match(ended.text, /EADDRINUSE/);
      assert.match(ended.line('Condition'), new RegExp(`^exit met; ${whose}`));
      const over = await call('wait_for', { session, port });
      assert.equal(over.structured['ending'], 'closed', over.text);
      assert.match(over.line('Condition'), new RegExp(`^none met: the command has ended; ${whose}`));
      const running = await fixture.start({ argv: ['sleep', '1000'] });
      const waited = await call('wait_for', { session: running, port, timeout_ms: 10 });
      assert.match(
        waited.line('Condition'),
        new RegExp(`^none met within .*; ${port} is listened on by node.*; wait again, or look`),
      );
    });
  });

  test('a port that somebody else has since the start counts, and is told whose it is', async (fixture) => {
    const { call, start } = fixture;
    const session = await start({ argv: ['sleep', '1000'] });
    const none = await call('wait_for', { session, port: await freePort(), timeout_ms: 10 });
    assert.equal(none.structured['ending'], 'time', none.text);
    await withForeign(async (listen) => {
      const port = await listen();
      const reply = await call('wait_for', { session, port });
      assert.match(
        reply.line('Condition'),
        new RegExp(
          `^port met: ${port} is listened on by node.* \\(pid ${process.pid}\\), which is not of session ${session} but has begun to listen after its start$`,
        ),
      );
    });
  });

  test('a port of another session is told with its number', async (fixture) => {
    const { call } = fixture;
    const port = await freePort();
    const other = await serverAt(fixture, port);
    assert.deepEqual((await call('wait_for', { session: other, port })).structured['met'], ['port']);
    const session = await fixture.start({ argv: ['sleep', '1000'] });
    const reply = await call('wait_for', { session, port, timeout_ms: 10 });
    assert.match(
      reply.line('Condition'),
      new RegExp(`by node \\(pid \\d+, session ${other}\\), which is not of session ${session} and has`),
    );
  });
}

async function serverAt({ start }: ToolsFixture, port: number): Promise<number> {
  const script = `require('net').createServer().listen(${port}, '127.0.0.1')`;
  return start({ argv: [process.execPath, '-e', script] });
}

/** Listens in this process, which is of no session. */
async function withForeign(run: (listen: () => Promise<number>) => Promise<void>): Promise<void> {
  const server = createServer();
  try {
    await run(async () => {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      return (server.address() as AddressInfo).port;
    });
  } finally {
    server.close();
  }
}
