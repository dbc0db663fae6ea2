import assert from 'node:assert/strict';
import http from 'node:http';

import { MOST_STRANGERS } from '../../../src/core/index.js';
import { isRunning, sessionMembers } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { silentSockets } from '../../support/silentSockets.js';
import { usePrograms, webSocketClient } from '../program.js';
import { sh } from '../rawClient.js';
import { ask, plain, text, upgrade, type HttpAnswer } from './httpAnswer.js';

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

  it('answers other requests than for a WebSocket as the real server does', async () => {
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

  for (const text of ['', 'GET / HTTP/1.1\r\n']) {
    it(`ends the oldest connections that say ${text === '' ? 'nothing' : 'half a word'}, and keeps its clients`, async () => {
      const url = await fixture.run([]).ready;
      const client = await webSocketClient(url);
      await client.handshake();
      const strangers = await silentSockets(MOST_STRANGERS, Number(new URL(url).port), text);
      // The one more.
      const newer = await webSocketClient(url);
      await newer.handshake();
      await until(() => strangers.hasLostOldest);
      assert.equal(strangers.open, MOST_STRANGERS - 1);
      await client.request('environment/status');
      await newer.request('environment/status');
      strangers.destroy();
    });
  }

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

  it('leaves no process when it is killed', async () => {
    const program = fixture.run([]);
    const client = await webSocketClient(await program.ready);
    await client.handshake();
    const { pid } = await client.start('p', sh(`trap '' HUP INT TERM; sleep 1000 & echo ready; wait`));
    await client.told('p', 'output');
    program.kill('SIGKILL');
    assert.equal(await program.ended, 'SIGKILL');
    await until(async () => (await sessionMembers(Number(pid))).length, 0);
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
