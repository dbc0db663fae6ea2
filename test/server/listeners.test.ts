import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';

import { isRunning, sessionMembers, until } from '../support/processes.js';
import { unixClient, usePrograms, webSocketClient, type Program } from './program.js';
import { sh } from './rawClient.js';

interface HttpAnswer {
  readonly status: number;
  readonly type: string | undefined;
  readonly allow: string | undefined;
  readonly body: string;
}

function ask(url: string, method: string, headers: http.OutgoingHttpHeaders = {}): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const request = http.request(url.replace('ws:', 'http:'), { method, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          type: response.headers['content-type'],
          allow: response.headers.allow,
          body,
        }),
      );
    });
    request.once('error', reject);
    request.end();
  });
}

const plain = (status: number, allow?: string): HttpAnswer => ({ status, type: undefined, allow, body: '' });
const text = (status: number, body: string): HttpAnswer => ({
  status,
  type: 'text/plain; charset=utf-8',
  allow: undefined,
  body,
});

const upgrade = {
  'Connection': 'Upgrade',
  'Upgrade': 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

describe('The WebSocket listener', () => {
  const fixture = usePrograms();

  it('says where it is, and serves several clients', async () => {
    const program = fixture.run(['--listen', 'ws://127.0.0.1:0']);
    const url = await program.ready;
    assert.match(url, /^ws:\/\/127\.0\.0\.1:\d+$/);
    const [one, other] = [await webSocketClient(`${url}/?a=b`), await webSocketClient(url)];
    await Promise.all([one.handshake(), other.handshake()]);
    await Promise.all([one.start('p', sh('echo one')), other.start('p', sh('echo other'))]);
    await Promise.all([one.told('p', 'closed'), other.told('p', 'closed')]);
    assert.deepEqual([one.output('p'), other.output('p')], ['one\n', 'other\n']);
    assert.deepEqual([program.stdout(), program.stderr()], [`${url}\n`, '']);
  });

  it('listens on IPv6', async () => {
    const url = await fixture.run(['--listen', 'ws://[::1]:0']).ready;
    assert.match(url, /^ws:\/\/\[::1\]:\d+$/);
    await (await webSocketClient(url)).handshake();
  });

  it('answers what is no WebSocket as the real server does', async () => {
    const url = await fixture.run([]).ready;
    const noUpgrade = text(400, "Connection header did not include 'upgrade'");
    const notGet = text(405, 'Request method must be `GET`');
    const cases: readonly (readonly [string, string, http.OutgoingHttpHeaders, HttpAnswer])[] = [
      ['GET', '/readyz', {}, plain(200)],
      ['HEAD', '/readyz?x', {}, plain(200)],
      ['POST', '/readyz', {}, plain(405, 'GET,HEAD')],
      ['GET', '/readyz', upgrade, plain(200)],
      ['GET', '/healthz', {}, plain(404)],
      ['POST', '/x', {}, plain(404)],
      ['GET', '/x', upgrade, plain(404)],
      ['GET', '/', {}, noUpgrade],
      ['GET', '/?a', {}, noUpgrade],
      ['POST', '/', {}, notGet],
      ['OPTIONS', '/', {}, notGet],
      ['POST', '/', upgrade, notGet],
      ['GET', '/', { ...upgrade, Upgrade: 'h2c' }, text(400, "`Upgrade` header did not include 'websocket'")],
      [
        'GET',
        '/',
        { Connection: 'Upgrade', Upgrade: 'websocket' },
        text(400, '`Sec-WebSocket-Key` header missing'),
      ],
      [
        'GET',
        '/',
        { ...upgrade, 'Sec-WebSocket-Version': '12' },
        text(400, "`Sec-WebSocket-Version` header did not include '13'"),
      ],
      ...['http://evil', 'null', ''].flatMap(
        (Origin): [string, string, http.OutgoingHttpHeaders, HttpAnswer][] => [
          ['GET', '/readyz', { Origin }, plain(403)],
          ['GET', '/', { Origin }, plain(403)],
          ['GET', '/x', { ...upgrade, Origin }, plain(403)],
          ['GET', '/', { ...upgrade, Origin }, plain(403)],
        ],
      ),
    ];
    for (const [method, where, headers, expected] of cases) {
      assert.deepEqual(
        await ask(url + where, method, headers),
        expected,
        `${method} ${where} ${JSON.stringify(headers)}`,
      );
    }
  });

  it('answers the closing handshake', async () => {
    const client = await webSocketClient(await fixture.run([]).ready);
    await client.handshake();
    client.transport.close();
    assert.equal(await client.ended, 'closed');
  });

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    it(`ends with everything it owns on ${signal}`, async () => {
      const program = fixture.run([]);
      const client = await webSocketClient(await program.ready);
      await client.handshake();
      const script = `trap '' INT TERM HUP; (sleep 1000) & echo ready; wait; sleep 1000`;
      const pids = await Promise.all(
        [false, true].map(async (tty, index) => {
          const { pid } = await client.start(`p${index}`, sh(script), { tty });
          await client.told(`p${index}`, 'output');
          return Number(pid);
        }),
      );
      program.kill(signal);
      assert.equal(await program.ended, 0);
      await client.ended;
      for (const pid of pids) {
        assert.deepEqual(await sessionMembers(pid), []);
      }
      assert.equal(program.stderr(), '');
    });
  }

  it('leaves nothing behind when it is killed', async () => {
    const program = fixture.run([]);
    const client = await webSocketClient(await program.ready);
    await client.handshake();
    const { pid } = await client.start('p', sh(`trap '' HUP INT TERM; sleep 1000 & echo ready; wait`));
    await client.told('p', 'output');
    program.kill('SIGKILL');
    assert.equal(await program.ended, 'SIGKILL');
    await until(async () => (await sessionMembers(Number(pid))).length === 0);
  });

  it('forgets a session after the time that it was given', async () => {
    const program = fixture.run(['--detached-session-seconds', '0']);
    const url = await program.ready;
    const first = await webSocketClient(url);
    const id = await first.handshake();
    const { pid } = await first.start('p', ['sleep', '1000']);
    first.transport.destroy('cut');
    await until(async () => !(await isRunning(Number(pid))));
    const second = await webSocketClient(url);
    const params = { clientName: 'x', resumeSessionId: id };
    assert.deepEqual(await second.refused('initialize', params), [-32600, `unknown session id ${id}`]);
  });
});

describe('A WebSocket client', () => {
  const fixture = usePrograms();
  const type = 'text/plain; charset=utf-8';
  const refused = async (url: string, headers: Readonly<Record<string, string>>, body: string) => {
    await assert.rejects(webSocketClient(url, headers), { message: `401 ${type} ${body}` });
  };

  for (const how of ['--ws-token-file', '--ws-token-sha256'] as const) {
    it(`shows its capability token (${how})`, async () => {
      const file = path.join(fixture.folder, 'token');
      fs.writeFileSync(file, 'sekret\n');
      const digest = createHash('sha256').update('sekret').digest('hex').toUpperCase();
      const url = await fixture.run([
        '--ws-auth',
        'capability-token',
        how,
        how === '--ws-token-file' ? file : digest,
      ]).ready;
      await refused(url, {}, 'missing websocket bearer token');
      for (const header of ['sekret', 'Bearer', 'Basic sekret', 'Bearer;sekret']) {
        await refused(url, { authorization: header }, 'invalid authorization header');
      }
      for (const header of ['Bearer x', 'Bearer sekret x', 'Bearer sekretsekret']) {
        await refused(url, { authorization: header }, 'invalid websocket bearer token');
      }
      await refused(`${url}/?token=sekret`, {}, 'missing websocket bearer token');
      for (const header of ['Bearer sekret', 'bearer   sekret ']) {
        await (await webSocketClient(url, { authorization: header })).handshake();
      }
      // Neither a health check nor a request of a browser gets as far as the token.
      assert.equal((await ask(`${url}/readyz`, 'GET')).status, 200);
      assert.equal((await ask(url, 'GET', { ...upgrade, Origin: 'http://evil' })).status, 403);
      assert.equal((await ask(`${url}/x`, 'GET', upgrade)).status, 404);
    });
  }

  it('shows a signed token', async () => {
    // The secret is long enough for the algorithms that are refused.
    const secret = '0123456789abcdef'.repeat(4);
    const file = path.join(fixture.folder, 'secret');
    fs.writeFileSync(file, `${secret}\n`);
    const args = ['--ws-auth', 'signed-bearer-token', '--ws-shared-secret-file', file];
    const strict = await fixture.run([...args, '--ws-issuer', 'iss', '--ws-audience', 'aud']).ready;
    const lax = await fixture.run([...args, '--ws-max-clock-skew-seconds', '0']).ready;
    const now = Math.floor(Date.now() / 1000);
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const sign = (claims: object, bits = 256, key = secret) => {
      const body = `${part({ alg: `HS${bits}` })}.${part(claims)}`;
      const signature = createHmac(`sha${bits}`, key).update(body).digest('base64url');
      return { authorization: `Bearer ${body}.${signature}` };
    };
    const good = { exp: now + 100, iss: 'iss', aud: 'aud' };
    const invalid = 'invalid websocket jwt';
    const cases: readonly (readonly [object, string | undefined])[] = [
      [good, undefined],
      [{ ...good, exp: now - 28, iat: now + 100 }, undefined],
      [{ ...good, exp: now - 32 }, 'expired websocket jwt'],
      [{ ...good, exp: -1 }, 'expired websocket jwt'],
      [{ ...good, nbf: now + 20 }, undefined],
      [{ ...good, nbf: now + 40 }, 'websocket jwt is not valid yet'],
      [{ ...good, nbf: 'x' }, invalid],
      [{ ...good, iss: 'x', aud: 'x' }, 'websocket jwt issuer mismatch'],
      [{ ...good, iss: undefined }, 'websocket jwt issuer mismatch'],
      [{ ...good, aud: 'x' }, 'websocket jwt audience mismatch'],
      [{ ...good, aud: undefined }, 'websocket jwt audience mismatch'],
      [{ ...good, aud: ['x', 'aud'] }, undefined],
      [{ ...good, aud: ['x'] }, 'websocket jwt audience mismatch'],
      [{ ...good, aud: 5 }, 'websocket jwt audience mismatch'],
      [{ ...good, iat: 'x' }, invalid],
      [{ ...good, exp: undefined }, invalid],
      [{ ...good, exp: 1e300 }, invalid],
      [{ ...good, exp: String(now + 9) }, invalid],
      [{ ...good, exp: null }, invalid],
      [[], invalid],
    ];
    for (const [claims, objection] of cases) {
      if (objection === undefined) {
        await (await webSocketClient(strict, sign(claims))).handshake();
      } else {
        await refused(strict, sign(claims), objection);
      }
    }
    await refused(strict, sign(good, 384), invalid);
    await refused(strict, { authorization: `Bearer ${part({ alg: 'none' })}.${part(good)}.` }, invalid);
    await refused(strict, sign(good, 256, 'x'.repeat(32)), invalid);
    await refused(strict, { authorization: 'Bearer a.b.c' }, invalid);
    await (await webSocketClient(lax, sign({ exp: now + 100, iss: 5, aud: 5 }))).handshake();
    await refused(lax, sign({ exp: now - 2 }), 'expired websocket jwt');
  });
});

describe('The stdio listener', () => {
  const fixture = usePrograms();

  it('speaks on its standard streams alone, and ends with its input', async () => {
    const program = fixture.run(['--listen', 'stdio']);
    const client = program.client();
    await client.handshake();
    const { pid } = await client.start('p', sh(`trap '' HUP TERM INT; echo ready; sleep 1000 & wait`));
    await client.told('p', 'output');
    client.send('{"id":1,"method":');
    const failure = await client.until((message) => 'id' in message && message.id === -1);
    assert.match(failure.error?.message ?? '', /^failed to parse JSON-RPC message from exec-server stdio:/);
    program.stdin.end();
    assert.equal(await program.ended, 0);
    assert.deepEqual(await sessionMembers(Number(pid)), []);
    assert.equal(program.stderr(), '');
  });

  it('ends with everything it owns on a signal', async () => {
    const program = fixture.run(['--listen', 'stdio']);
    const client = program.client();
    await client.handshake();
    const { pid } = await client.start('p', sh(`trap '' HUP TERM INT; echo ready; sleep 1000 & wait`));
    await client.told('p', 'output');
    program.kill('SIGTERM');
    assert.equal(await program.ended, 0);
    assert.deepEqual(await sessionMembers(Number(pid)), []);
  });

  it('goes on to listen to a client that does not read', async () => {
    const program = fixture.run(['--listen', 'stdio://']);
    const client = program.client();
    await client.handshake();
    client.transport.setPaused(true);
    const flood = { processId: 'p', argv: sh('yes'), cwd: 'file:///tmp', env: process.env, tty: false };
    client.send({ id: 'start', method: 'process/start', params: flood });
    // The pipe to us is full long before the last of these, because each start takes its time.
    for (let index = 0; index < 10; index++) {
      const flag = path.join(fixture.folder, `flag ${index}`);
      const params = { ...flood, processId: flag, argv: ['touch', flag] };
      client.send({ id: index, method: 'process/start', params });
      await until(() => fs.existsSync(flag));
    }
  });
});

describe('The Unix socket listener', () => {
  const fixture = usePrograms();
  const file = () => path.join(fixture.folder, 'private/server.sock');
  const listen = (...args: string[]) => fixture.run(['--listen', `unix:${file()}`, ...args]);

  it('is for its owner alone', async () => {
    const program = listen();
    assert.equal(await program.ready, `unix:${file()}`);
    assert.equal(fs.statSync(path.dirname(file())).mode & 0o777, 0o700);
    assert.equal(fs.statSync(file()).mode & 0o777, 0o600);
    const [one, other] = [await unixClient(file()), await unixClient(file())];
    await Promise.all([one.handshake(), other.handshake()]);
    await one.start('p', ['sleep', '100']);
    const { processes } = await other.request('process/list');
    assert.ok(Array.isArray(processes) && processes.length === 1);
    program.kill('SIGTERM');
    assert.equal(await program.ended, 0);
    assert.deepEqual(fs.readdirSync(path.dirname(file())), []);
  });

  it('refuses a folder that others can look into', async () => {
    fs.mkdirSync(path.dirname(file()));
    fs.chmodSync(path.dirname(file()), 0o755);
    const program = listen();
    assert.equal(await program.ended, 1);
    assert.match(program.stderr(), /^Error: others can look into the folder .*mode 700/);
    // The message must not suggest chmod: the folder may be /tmp, and its reader may be root.
    assert.doesNotMatch(program.stderr(), /chmod/);
  });

  it('refuses a folder of somebody else', async () => {
    const isRoot = process.getuid?.() === 0;
    if (isRoot) {
      fs.mkdirSync(path.dirname(file()), { mode: 0o700 });
      fs.chownSync(path.dirname(file()), 12_345, 12_345);
    }
    const program = isRoot ? listen() : fixture.run(['--listen', 'unix:/x.sock']);
    assert.equal(await program.ended, 1);
    assert.match(program.stderr(), /^Error: the folder .* belongs to somebody else/);
  });

  it('leaves the socket of another one alone at its end', async () => {
    const first = listen();
    await first.ready;
    fs.rmSync(file());
    await listen().ready;
    first.kill('SIGTERM');
    assert.equal(await first.ended, 0);
    await (await unixClient(file())).handshake();
  });

  it('refuses a folder that is a link, and a file that is no socket', async () => {
    const real = path.join(fixture.folder, 'real');
    fs.mkdirSync(real, { mode: 0o700 });
    fs.symlinkSync(real, path.dirname(file()));
    const linked = listen();
    assert.equal(await linked.ended, 1);
    assert.match(linked.stderr(), /must be a folder, and is something else/);
    fs.rmSync(path.dirname(file()));
    fs.mkdirSync(path.dirname(file()), { mode: 0o700 });
    fs.writeFileSync(file(), 'precious');
    const occupied = listen();
    assert.equal(await occupied.ended, 1);
    assert.match(occupied.stderr(), /is there already, and is no socket/);
    assert.equal(fs.readFileSync(file(), 'utf8'), 'precious');
  });

  /** Starts several servers at once. @returns those that listen; the others have reported why they do not. */
  const compete = async (): Promise<Program[]> => {
    const programs = Array.from({ length: 5 }, () => listen());
    const ready = await Promise.all(programs.map((program) => program.ready.catch(() => undefined)));
    for (const [index, program] of programs.entries()) {
      if (ready[index] === undefined) {
        assert.equal(await program.ended, 1);
        assert.match(program.stderr(), /^Error: a server listens on .* already/);
      }
    }
    return programs.filter((_, index) => ready[index] !== undefined);
  };

  it('has one server, however many want it, and another one if that has died', async () => {
    for (let round = 0; round < 4; round++) {
      const [winner, ...others] = await compete();
      assert.ok(winner !== undefined && others.length === 0);
      assert.deepEqual(await compete(), []);
      await (await unixClient(file())).handshake();
      assert.deepEqual(fs.readdirSync(path.dirname(file())), ['server.sock']);
      winner.kill('SIGKILL');
      await winner.ended;
      assert.ok(fs.statSync(file()).isSocket());
    }
  });

  it('ends when nobody has used it for the time that it was given', async () => {
    const program = listen('--exit-when-idle-seconds', '1', '--detached-session-seconds', '0');
    await program.ready;
    const client = await unixClient(file());
    await client.handshake();
    client.transport.destroy('enough');
    assert.equal(await program.ended, 0);
    assert.ok(!fs.existsSync(file()));
  });
});
