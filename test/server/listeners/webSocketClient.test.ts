import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

import { usePrograms, webSocketClient } from '../program.js';
import { ask, upgrade } from './httpAnswer.js';

describe('A WebSocket client', () => {
  const fixture = usePrograms();
  const type = 'text/plain; charset=utf-8';
  const refused = async (url: string, headers: Readonly<Record<string, string>>, body: string) => {
    await assert.rejects(webSocketClient(url, headers), { message: `401 ${type} ${body}` });
  };

  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = (claims: object, key: string, bits = 256) => {
    const body = `${part({ alg: `HS${bits}` })}.${part(claims)}`;
    const signature = createHmac(`sha${bits}`, key).update(body).digest('base64url');
    return { authorization: `Bearer ${body}.${signature}` };
  };

  for (const how of ['--ws-token-file', '--ws-token-sha256'] as const) {
    it(`shows its capability token (${how})`, async () => {
      const file = path.join(fixture.folder, 'token');
      fs.writeFileSync(file, 'sekret\n', { mode: 0o600 });
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

  it('shows the capability token that is in the file at the moment', async () => {
    // Its name does not make two lines of one in the log.
    const file = path.join(fixture.folder, 'to\nken');
    fs.writeFileSync(file, 'first', { mode: 0o600 });
    const server = fixture.run(['--ws-auth', 'capability-token', '--ws-token-file', file]);
    const url = await server.ready;
    const old = await webSocketClient(url, { authorization: 'Bearer first' });
    await old.handshake();
    fs.writeFileSync(file, 'second');
    await refused(url, { authorization: 'Bearer first' }, 'invalid websocket bearer token');
    await (await webSocketClient(url, { authorization: 'Bearer second' })).handshake();
    // A file that cannot be used changes nothing, and is reported once.
    fs.chmodSync(file, 0o644);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await (await webSocketClient(url, { authorization: 'Bearer second' })).handshake();
    }
    fs.rmSync(file);
    await (await webSocketClient(url, { authorization: 'Bearer second' })).handshake();
    await old.request('environment/status');
    const [open = '', gone = '', ...more] = server.stderr().trimEnd().split('\n');
    assert.match(
      open,
      /^failed to read websocket auth secret .*: other users can .* earlier secret stays valid\.$/,
    );
    assert.match(
      gone,
      /^failed to read websocket auth secret .*: no such file .* earlier secret stays valid\.$/,
    );
    assert.deepEqual(more, []);
  });

  it('shows a token that was signed with the secret of the moment', async () => {
    const file = path.join(fixture.folder, 'secret');
    const [first, second] = ['first', 'second'].map((name) => name.repeat(8));
    assert.ok(first !== undefined && second !== undefined);
    const claims = { exp: Math.floor(Date.now() / 1000) + 100 };
    fs.writeFileSync(file, first, { mode: 0o600 });
    const server = fixture.run(['--ws-auth', 'signed-bearer-token', '--ws-shared-secret-file', file]);
    const url = await server.ready;
    await (await webSocketClient(url, signed(claims, first))).handshake();
    fs.writeFileSync(file, second);
    await refused(url, signed(claims, first), 'invalid websocket jwt');
    await (await webSocketClient(url, signed(claims, second))).handshake();
    fs.writeFileSync(file, 'short');
    await (await webSocketClient(url, signed(claims, second))).handshake();
    assert.match(
      server.stderr(),
      /^signed websocket bearer secret .* must be at least 32 bytes. .* earlier secret stays valid.\n$/,
    );
  });

  it('shows a signed token', async () => {
    // The secret is long enough for the algorithms that are refused.
    const secret = '0123456789abcdef'.repeat(4);
    const file = path.join(fixture.folder, 'secret');
    fs.writeFileSync(file, `${secret}\n`, { mode: 0o600 });
    const args = ['--ws-auth', 'signed-bearer-token', '--ws-shared-secret-file', file];
    const strict = await fixture.run([...args, '--ws-issuer', 'iss', '--ws-audience', 'aud']).ready;
    const lax = await fixture.run([...args, '--ws-max-clock-skew-seconds', '0']).ready;
    const now = Math.floor(Date.now() / 1000);
    const sign = (claims: object, bits = 256, key = secret) => signed(claims, key, bits);
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
