import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

import { startServer, command } from '../../support/execServer.js';
import { describeLimits, LimitedUser } from '../../support/limitedUser.js';
import { until } from '../../support/until.js';
import { usePrograms, webSocketClient } from '../program.js';

/** A user of this machine other than root and the owner of the server. */
const NOBODY = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] as const;

/** Asks for a WebSocket, and prints the answer of the server. */
const STRANGER = `
const { hostname, port } = new URL(process.argv[1]);
const headers = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' };
const request = require('http').request({ host: hostname.replace(/[[\\]]/g, ''), port, headers });
request.once('upgrade', (response) => { console.log(response.statusCode); process.exit(); });
request.once('response', async (response) => {
  console.log(response.statusCode, (await response.setEncoding('utf8').toArray()).join(''));
  process.exit();
});
request.end();
`;

/** Sends a whole conversation without waiting for an answer, and has gone before the server reads it. */
const HURRIED = `
const { hostname, port } = new URL(process.argv[1]);
const frame = (message) => {
  const text = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from([0x81, 0xfe, text.length >> 8, text.length & 0xff, 0, 0, 0, 0]), text]);
};
const argv = ['touch', process.argv[2]];
const start = { processId: 'p', argv, cwd: 'file:///', env: { PATH: '/bin:/usr/bin' }, tty: false };
const socket = require('net').connect(port, hostname, () => {
  socket.write(Buffer.concat([
    Buffer.from('GET / HTTP/1.1\\r\\nHost: x\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\nSec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\n\\r\\n'),
    frame({ id: 1, method: 'initialize', params: { clientName: 'x' } }),
    frame({ method: 'initialized', params: {} }),
    frame({ id: 2, method: 'process/start', params: start }),
  ]), () => process.exit());
});
`;

/** Runs a program of Node as that user, to its end. */
async function run(prefix: readonly string[], script: string, ...args: readonly string[]): Promise<string> {
  const [file = '', ...rest] = [...prefix, process.execPath, '-e', script, ...args];
  const child = spawn(file, rest, { cwd: '/', env: {}, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  await once(child, 'close');
  return said.trim();
}

const REFUSED =
  /^403 This server is for its own user alone\. With `--ws-auth` it asks for a token instead\.$/;

describeLimits('Another user of this machine', () => {
  const fixture = usePrograms();

  for (const address of ['127.0.0.1', '[::1]']) {
    it(`is refused at ${address} without a token, and told why (SECURITY.md: Other users of the machine)`, async () => {
      const program = fixture.run(['--listen', `ws://${address}:0`]);
      const url = await program.ready;
      assert.match(await run(NOBODY, STRANGER, url), REFUSED);
      assert.match(await run(NOBODY, STRANGER, url), REFUSED);
      assert.equal(program.stderr(), 'Refused a connection of the user 65534.\n');
      await (await webSocketClient(url)).handshake();
    });
  }

  it('is refused as well when IPv4 is spoken through a socket of IPv6', async () => {
    const program = fixture.run([]);
    const url = (await program.ready).replace('127.0.0.1', '[::ffff:127.0.0.1]');
    assert.match(await run(NOBODY, STRANGER, url), REFUSED);
    await (await webSocketClient(url)).handshake();
  });

  it('cannot start a process by sending everything at once and leaving', async () => {
    const program = fixture.run([]);
    const url = await program.ready;
    const file = path.join(fixture.folder, 'made');
    // The server reads only once the connection has ended.
    process.kill(program.pid, 'SIGSTOP');
    await run(NOBODY, HURRIED, url, file);
    process.kill(program.pid, 'SIGCONT');
    await until(
      () => program.stderr(),
      (seen) => seen.includes('Refused a connection'),
    );
    assert.equal(existsSync(file), false);
    // The same is taken from the owner, so that the test can fail.
    const other = await fixture.run(['--no-auth']).ready;
    await run([], HURRIED, other, file);
    await until(() => existsSync(file));
  });

  it('is let in with --no-auth, which says what it does', async () => {
    const program = fixture.run(['--no-auth']);
    assert.equal(await run(NOBODY, STRANGER, await program.ready), '101');
    assert.equal(
      program.stderr(),
      'Every user of this machine can run commands as you here, since `--no-auth` lets them in.\n',
    );
  });

  it('cannot connect to a server of another user, but its owner and root can', async () => {
    const user = new LimitedUser();
    const argv = user.command('--nofile=1000', [process.execPath, user.server]);
    const server = await startServer(() => command(argv, user.home.env, { cwd: user.home.home }));
    try {
      assert.match(await run(NOBODY, STRANGER, server.url), REFUSED);
      assert.equal(await run(user.command('--nofile=1000', []), STRANGER, server.url), '101');
      assert.equal(await run([], STRANGER, server.url), '101');
    } finally {
      await server.stop();
      await user.home.remove();
    }
  });

  it('needs the token that is made where the system does not tell who connects', async () => {
    const prefix = ['unshare', '--mount', 'sh', '-c', 'mount -t tmpfs none /proc && exec "$@"', 'sh'];
    const program = fixture.run([], { prefix });
    const url = await program.ready;
    const [, file = ''] = /clients need the token in (\S+)\. With `--no-auth`/.exec(program.stderr()) ?? [];
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.match(await run(NOBODY, STRANGER, url), /^401 missing websocket bearer token$/);
    const authorization = `Bearer ${readFileSync(file, 'utf8').trim()}`;
    const client = await webSocketClient(url, { authorization });
    await client.handshake();
    client.transport.close();
    program.kill('SIGTERM');
    await program.ended;
    assert.equal(existsSync(file), false);
  });
});
