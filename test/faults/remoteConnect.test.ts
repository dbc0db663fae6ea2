import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import path from 'node:path';

import { WebSocketServer } from 'ws';

import {
  commandConnector,
  RemoteBackend,
  socketConnector,
  webSocketConnector,
  type Connector,
} from '../../src/remote/index.js';
import { makeServerHome, ownStdioServer, startOwnServer } from '../support/execServer.js';
import { failureOf } from '../support/failures.js';
import { isRunning } from '../support/processes.js';
import { until } from '../support/until.js';

/** All that may be at an address in place of the expected exec-server. */

const connect = (connector: Connector, options: { initializeMs?: number; connectMs?: number } = {}) =>
  RemoteBackend.connect({ connector, clientName: 'test', ...options });

async function listening(server: net.Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as net.AddressInfo).port;
}

describe('Connecting to a server that is missing or wrong @all', () => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  const serve = async (server: http.Server | net.Server) => {
    const sockets = new Set<net.Socket>();
    server.on('connection', (socket: net.Socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
    });
    ends.push(() => {
      sockets.forEach((socket) => socket.destroy());
      server.close();
    });
    return listening(server);
  };
  const answering = (status: number, body = '') =>
    serve(
      http.createServer().on('upgrade', (_, socket) => {
        socket.end(
          `HTTP/1.1 ${status} No\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
        );
      }),
    );
  /** A WebSocket server that answers each message with `answer`. */
  const speaking = async (answer: (message: string) => string | undefined) => {
    const server = http.createServer();
    const sockets = new WebSocketServer({ server });
    sockets.on('connection', (socket) => {
      socket.on('message', (data: Buffer) => {
        const text = answer(data.toString());
        if (text !== undefined) socket.send(text);
      });
    });
    ends.push(() => sockets.clients.forEach((client) => client.terminate()));
    return serve(server);
  };
  const ws = (port: number, some: { token?: string } = {}) =>
    webSocketConnector({ url: `ws://127.0.0.1:${port}`, ...some });

  it('says that nobody listens', async () => {
    const port = await serve(net.createServer());
    for (const end of ends.splice(0)) end();
    await failureOf(connect(ws(port)), 'connectionRefused', /127\.0\.0\.1:\d+\/: nothing is listening there/);
    await failureOf(connect(socketConnector('/no/such/socket')), 'connectionRefused', /\/no\/such\/socket/);
  });

  it('says that there is no such host', async () => {
    const connector = webSocketConnector({ url: 'ws://no-such-host.invalid:1' });
    await failureOf(connect(connector), 'unknownHost', /no host called "no-such-host\.invalid"/);
  });

  it('says what is wrong with an address', async () => {
    for (const url of ['http://127.0.0.1', 'nonsense', 'ws://127.0.0.1/#x']) {
      await failureOf(connect(webSocketConnector({ url })), 'badAddress', /must begin with ws:/);
    }
  });

  it('reports the answer of a server that wants another token', async () => {
    const body = 'invalid websocket bearer token';
    const port = await answering(401, body);
    await failureOf(
      connect(ws(port, { token: 'old' })),
      'unauthorized',
      /does not accept the token: invalid websocket bearer token/,
    );
    await failureOf(connect(ws(port)), 'tokenMissing', /asks for a token\. Set it\./);
    await failureOf(connect(ws(await answering(403))), 'forbidden', /403/);
  });

  it('says that it is something else', async () => {
    await failureOf(connect(ws(await answering(404, '<html>'))), 'notExecServer', /HTTP 404/);
    await failureOf(connect(ws(await answering(200))), 'notExecServer', /HTTP 200/);
    await failureOf(connect(ws(await answering(302))), 'notExecServer', /HTTP 302/);
    const garbage = await serve(net.createServer((socket) => socket.end('220 smtp ready\r\n')));
    await failureOf(connect(ws(garbage)), 'notExecServer', /does not speak HTTP/);
    const silent = await serve(net.createServer((socket) => socket.once('data', () => socket.destroy())));
    await failureOf(connect(ws(silent)), 'connectFailed', /hung up/);
  });

  it('says that it speaks another protocol', async () => {
    const refusing = await speaking((message) =>
      JSON.stringify({
        id: (JSON.parse(message) as { id: unknown }).id,
        error: { code: -32601, message: 'what?' },
      }),
    );
    await failureOf(connect(ws(refusing)), 'notExecServer', /it refused: what\?/);
    const senseless = await speaking((message) =>
      JSON.stringify({ id: (JSON.parse(message) as { id: unknown }).id, result: 7 }),
    );
    await failureOf(connect(ws(senseless)), 'notExecServer', /makes no sense/);
    const echo = await speaking((message) => message);
    await failureOf(connect(ws(echo)), 'notExecServer', /it refused/);
    const mute = await speaking(() => undefined);
    await failureOf(connect(ws(mute), { initializeMs: 200 }), 'connectTimeout', /within 0\.2 seconds/);
  });

  it('gives up in time, and lets go of what it had', async () => {
    let open = 0;
    const mute = await serve(
      net.createServer((socket) => {
        open += 1;
        socket.resume().once('close', () => (open -= 1));
      }),
    );
    await failureOf(connect(ws(mute), { connectMs: 150 }), 'connectTimeout', /within 0\.15 seconds/);
    await until(() => open, 0);
    const abort = new AbortController();
    const connecting = RemoteBackend.connect({ connector: ws(mute), clientName: 'x' }, abort.signal);
    await until(() => open, 1);
    abort.abort();
    await failureOf(connecting, 'connectCancelled', /cancelled/);
    await until(() => open, 0);
  });

  it('sends a token nowhere where it could be read', async () => {
    const connector = webSocketConnector({ url: 'ws://192.0.2.1:4711', token: 'secret' });
    const error = await failureOf(connect(connector), 'tokenInTheClear', /Use a wss:/);
    assert.ok(!error.message.includes('secret'));
    const bad = webSocketConnector({ url: 'ws://127.0.0.1:1', token: 'a\nb' });
    await failureOf(connect(bad), 'badToken', /Set it again/);
  });

  it('shows nothing secret of an address', async () => {
    const connector = webSocketConnector({ url: 'ws://user:password@127.0.0.1:1/?token=secret' });
    assert.equal(connector.label, 'ws://127.0.0.1:1/');
    const error = await failureOf(connect(connector), 'connectionRefused', /nothing is listening/);
    assert.ok(!/secret|password/.test(error.message + error.wireMessage));
  });

  it('sends a token to its own machine, and over TLS that it can check', async () => {
    const folder = makeServerHome();
    ends.push(() => folder.remove());
    const key = path.join(folder.folder, 'key.pem');
    const cert = path.join(folder.folder, 'cert.pem');
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '2',
        '-subj',
        '/CN=localhost',
        '-addext',
        'subjectAltName=DNS:localhost',
        '-keyout',
        key,
        '-out',
        cert,
      ],
      { stdio: 'ignore' },
    );
    const token = 'a-token-of-its-own';
    const seen: (string | undefined)[] = [];
    const tls = https.createServer({ key: fs.readFileSync(key), cert: fs.readFileSync(cert) });
    tls.on('upgrade', (request, socket) => {
      seen.push(request.headers.authorization);
      socket.end('HTTP/1.1 418 No\r\nConnection: close\r\n\r\n');
    });
    const port = await serve(tls);
    const url = `wss://localhost:${port}`;
    await failureOf(connect(webSocketConnector({ url, token })), 'tlsFailed', /self-signed/);
    const ca = fs.readFileSync(cert, 'utf8');
    await failureOf(connect(webSocketConnector({ url, token, ca })), 'notExecServer', /HTTP 418/);
    assert.deepEqual(seen, [`Bearer ${token}`]);
    const plain = await serve(http.createServer());
    const wrong = webSocketConnector({ url: `wss://127.0.0.1:${plain}`, token });
    await failureOf(connect(wrong), 'tlsFailed', /does not speak TLS/);
    // A server of ours lets the client in.
    const tokenFile = path.join(folder.folder, 'token');
    fs.writeFileSync(tokenFile, token, { mode: 0o600 });
    const args = ['--ws-auth', 'capability-token', '--ws-token-file', tokenFile];
    const server = await startOwnServer({ args });
    ends.push(() => server.stop());
    const backend = await connect(webSocketConnector({ url: server.url, token }));
    await backend.shutdown();
    await failureOf(connect(webSocketConnector({ url: server.url })), 'tokenMissing', /asks for a token/);
  });
});

describe('A command that should be a server @all', () => {
  const node = (script: string) => commandConnector({ argv: [process.execPath, '-e', script] });

  it('says that there is no such program', async () => {
    await failureOf(connect(commandConnector({ argv: ['/no/such'] })), 'programNotFound', /"\/no\/such"/);
    await failureOf(connect(commandConnector({ argv: ['/etc/passwd'] })), 'programNotExecutable', /passwd/);
    await failureOf(connect(commandConnector({ argv: [] })), 'programMissing', /empty/);
  });

  it('says how it ended, and its last words', async () => {
    await failureOf(
      connect(node('console.error("one"); console.error("no route to host"); process.exitCode = 255')),
      'serverCommandEnded',
      /it ended with exit code 255: no route to host\./,
    );
    await failureOf(connect(node('process.kill(process.pid, 9)')), 'serverCommandEnded', /ended by SIGKILL/);
  });

  it('is ended with the connection, and what it has started', async () => {
    const home = makeServerHome();
    const pidFile = path.join(home.folder, 'pids');
    // The command ignores the end of its input and a polite signal.
    const script = `trap '' TERM; sleep 1000 & echo $$ $! >${pidFile}; while :; do sleep 0.1; done`;
    const connector = commandConnector({ argv: ['/bin/sh', '-c', script] });
    await failureOf(connect(connector, { initializeMs: 300 }), 'connectTimeout', /within 0\.3 seconds/);
    const pids = fs.readFileSync(pidFile, 'utf8').trim().split(' ').map(Number);
    assert.equal(pids.length, 2);
    await until(
      () => Promise.all(pids.map(isRunning)),
      (seen) => seen.every((running) => !running),
    );
    await home.remove();
  });

  it('ends by itself when it can', async () => {
    const backend = await connect(commandConnector({ argv: ownStdioServer() }));
    const started = await backend.start({
      processId: 'p',
      argv: ['/bin/sh', '-c', 'echo $PPID; sleep 100'],
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      tty: false,
    });
    const { chunks } = await started.read({ waitMs: 10_000 });
    const server = Number(Buffer.concat(chunks.map(({ bytes }) => bytes)).toString());
    assert.ok(await isRunning(server));
    await backend.shutdown({ graceMs: { interrupt: 0 } });
    await until(async () => !(await isRunning(server)));
  });
});
