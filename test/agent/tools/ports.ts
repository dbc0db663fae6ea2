import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import path from 'node:path';

import { freePort } from '../../support/freePort.js';
import { until } from '../../support/until.js';
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

/** Publishes ports as Docker does: each request at a socket starts a helper, a process of its own, that listens. */
const DAEMON = `
import os, socket, sys, time
asked = socket.socket(socket.AF_UNIX)
asked.bind(sys.argv[1] + '.new')
asked.listen()
os.rename(sys.argv[1] + '.new', sys.argv[1])
while True:
  client, _ = asked.accept()
  port = int(client.recv(16))
  if os.fork() == 0:
    helper = socket.create_server(('0.0.0.0', port))
    client.sendall(b'published')
    client.close()
    asked.close()
    time.sleep(1000)
  client.close()
`;
/** Its client, which ends once the port is published. */
const PUBLISH = `
import socket, sys
daemon = socket.socket(socket.AF_UNIX)
daemon.connect(sys.argv[1])
daemon.sendall(sys.argv[2].encode())
daemon.recv(16)
`;

/** Facts about ports in the answers of calls. */
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
      const whose = `${port} is listened on by node.* \\(pid ${process.pid}\\), which does not belong to session ${session} and has listened since before its start$`;
      const ended = await call('wait_for', { session, port, exit: true });
      // A quick command has told the caller that started it.
      assert.match((await call('read_output', { session, cursor: '0' })).text, /EADDRINUSE/);
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
          `^port met: ${port} is listened on by node.* \\(pid ${process.pid}\\), which does not belong to session ${session} but has begun to listen after its start$`,
        ),
      );
    });
  });

  test('a port that a daemon publishes for a command counts if it was not published before', async (fixture) => {
    const { call, start, folder } = fixture;
    const socket = path.join(folder, 'daemon.socket');
    const [before, after] = [await freePort(), await freePort()];
    const publish = (port: number) => ['python3', '-c', PUBLISH, socket, String(port)];
    // It belongs to no session, and has a group of its own, with its helpers.
    const env = { PATH: process.env['PATH'] };
    const daemon = spawn('python3', ['-c', DAEMON, socket], { env, stdio: 'ignore', detached: true });
    try {
      await until(() => existsSync(socket));
      const first = await start({ argv: publish(before) });
      assert.deepEqual((await call('wait_for', { session: first, port: before })).structured['met'], [
        'port',
      ]);
      // As `docker run -d -p` does: the command is over, and the daemon's helper listens on.
      const session = await start({ argv: publish(after) });
      const reply = await call('wait_for', { session, port: after });
      assert.match(
        reply.line('Condition'),
        new RegExp(
          `^port met: ${after} is listened on by python3.* \\(pid \\d+\\), which does not belong to session ${session} but has begun to listen after its start$`,
        ),
      );
      const old = await call('wait_for', { session, port: before, timeout_ms: 10 });
      assert.match(
        old.line('Condition'),
        new RegExp(`^none met.*; ${before} is listened on by .* and has listened since before its start`),
      );
    } finally {
      process.kill(-(daemon.pid ?? assert.fail()), 'SIGKILL');
    }
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
      new RegExp(
        `by node \\(pid \\d+, session ${other}\\), which does not belong to session ${session} and has`,
      ),
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
