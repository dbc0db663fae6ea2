import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';

import { httpMethods } from '../../src/server/methods/http/index.js';
import { fileMethods, useServer } from './inProcess.js';
import { base64, type RawClient, startParams } from './rawClient.js';
import { usePrograms, webSocketClient } from './program.js';

const FOREVER = ['sleep', '1000'];

describe('The quotas of a client of the exec-server', () => {
  const server = useServer({
    methods: { ...fileMethods, ...httpMethods },
    quotas: { processes: 2, requests: 4, httpRequests: 2, openFiles: 2 },
    reach: 'server',
  });
  let client: RawClient;
  beforeEach(async () => {
    client = await server.client();
  });

  describe('of processes', () => {
    const refusal =
      'at most 2 processes of one client may run at a time; ' +
      'end some, or start the exec-server with a larger --max-processes';

    it('refuse a start beyond, say which limit it is, and leave the others alone', async () => {
      await client.start('a', FOREVER);
      await client.start('b', FOREVER);
      const { error } = await client.ask('process/start', startParams('c', FOREVER));
      assert.deepEqual(error, {
        code: -32600,
        message: refusal,
        data: { failure: { kind: 'processQuota', limit: 2 } },
      });
      const { processes } = await client.request('process/list');
      assert.equal((processes as readonly unknown[]).length, 2);
    });

    it('count starts that are under way', async () => {
      const answers = await Promise.all(
        ['a', 'b', 'c'].map((id) =>
          client.start(id, FOREVER).then(
            () => 'started',
            (error: unknown) => String(error),
          ),
        ),
      );
      assert.deepEqual(answers.slice(0, 2), ['started', 'started']);
      assert.match(answers[2] ?? '', /at most 2 processes of one client/);
    });

    it('have room again after an end, though the ended one can still be read', async () => {
      await client.start('a', FOREVER);
      await client.start('b', FOREVER);
      await client.request('process/terminate', { processId: 'a' });
      await client.told('a', 'closed');
      await client.start('c', FOREVER);
      await client.request('process/read', { processId: 'a' });
      assert.equal((await client.refused('process/start', startParams('d', FOREVER)))[1], refusal);
    });

    it('are counted for each client alone, also where it sees processes of others', async () => {
      await client.start('a', FOREVER);
      await client.start('b', FOREVER);
      const other = await server.client();
      const { processes } = await other.request('process/list');
      for (const [index, { handle }] of (processes as { handle: string }[]).entries()) {
        await other.request('process/attach', { handle, processId: `theirs-${index}` });
      }
      await other.start('a', FOREVER);
      await other.start('b', FOREVER);
      assert.equal((await other.refused('process/start', startParams('c', FOREVER)))[1], refusal);
    });
  });

  describe('of requests', () => {
    it('let further ones wait, and lose none', async () => {
      await client.start('a', ['cat'], { pipeStdin: true });
      const read = { processId: 'a', afterSeq: 0, waitMs: 60_000 };
      const reads = Array.from({ length: 6 }, () => client.request('process/read', read));
      const last = client.request('process/list');
      const other = await server.client();
      const { processes } = await other.request('process/list');
      const [{ handle } = { handle: '' }] = processes as { handle: string }[];
      await other.request('process/attach', { handle, processId: 'x' });
      const chunk = base64('now\n');
      await other.request('process/write', { processId: 'x', chunk, writeId: '1' });
      const answers = await Promise.all(reads);
      assert.deepEqual(
        answers.map(({ nextSeq }) => nextSeq),
        reads.map(() => 2),
      );
      await last;
      const ids = client.heard.flatMap((message) => ('id' in message ? [message.id] : []));
      // Without the quota it would have been answered before all of them.
      assert.ok(ids.indexOf(9) > ids.indexOf(3), String(ids));
    });
  });

  describe('of HTTP requests', () => {
    let host: http.Server;
    let url: string;
    const held: http.ServerResponse[] = [];
    beforeEach(async () => {
      held.length = 0;
      host = http.createServer((_request, response) => void held.push(response)).listen(0, '127.0.0.1');
      await once(host, 'listening');
      url = `http://127.0.0.1:${(host.address() as AddressInfo).port}/`;
    });
    afterEach(() => {
      host.closeAllConnections();
      host.close();
    });
    const ask = (requestId: string, some: object = {}) => ({ requestId, method: 'GET', url, ...some });
    const refusal =
      'http/request failed: at most 2 requests of one connection may be under way; ' +
      'wait for some of them, or start the exec-server with a larger --max-http-requests';

    it('refuse one more, until one has ended', async () => {
      const answers = ['1', '2'].map((id) => client.request('http/request', ask(id)));
      while (held.length < 2) {
        await once(host, 'request');
      }
      assert.equal((await client.refused('http/request', ask('3')))[1], refusal);
      held[0]?.end();
      await Promise.race(answers);
      const third = client.request('http/request', ask('3'));
      await once(host, 'request');
      held.forEach((response) => response.end());
      await Promise.all([...answers, third]);
    });

    it('count a stream until the end of its body', async () => {
      const streams = ['1', '2'].map((id) =>
        client.request('http/request', ask(id, { streamResponse: true })),
      );
      while (held.length < 2) {
        await once(host, 'request');
      }
      held.forEach((response) => response.write('part'));
      await Promise.all(streams);
      assert.equal((await client.refused('http/request', ask('3')))[1], refusal);
      held.forEach((response) => response.end());
      await client.untilTrue(
        () => client.notifications.filter(({ params }) => params['done'] === true).length === 2,
      );
      const again = client.request('http/request', ask('3'));
      await once(host, 'request');
      held[2]?.end();
      await again;
    });
  });

  describe('of open files', () => {
    it('refuse one more, until one is closed', async () => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-quota-'));
      try {
        const file = path.join(folder, 'file');
        fs.writeFileSync(file, 'content');
        const open = (handleId: string) => ({ handleId, path: `file://${file}` });
        await client.request('fs/open', open('1'));
        await client.request('fs/open', open('2'));
        const [, message] = await client.refused('fs/open', open('3'));
        assert.match(message, /^at most 2 file handles may be open per connection$/);
        await client.request('fs/close', { handleId: '1' });
        await client.request('fs/open', open('3'));
      } finally {
        fs.rmSync(folder, { recursive: true });
      }
    });
  });
});

describe('The exec-server', () => {
  const fixture = usePrograms();
  const held = new Set<net.Socket>();
  let silent: net.Server;
  beforeEach(async () => {
    silent = net.createServer((socket) => held.add(socket.on('error', () => undefined)));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
  });
  afterEach(() => {
    held.forEach((socket) => socket.destroy());
    held.clear();
    silent.close();
  });

  it('takes its quotas from the command line', async () => {
    const quotas = '--max-processes 1 --max-http-requests 2 --max-open-files 3 --max-requests 4';
    const url = await fixture.run(quotas.split(' ')).ready;
    const [client, other] = [await webSocketClient(url), await webSocketClient(url)];
    await client.handshake();
    await other.handshake();

    await client.start('a', FOREVER);
    const [, processes] = await client.refused('process/start', startParams('b', FOREVER));
    assert.match(processes, /^at most 1 processes of one client/);

    const open = (handleId: string) => ({ handleId, path: `file://${process.execPath}` });
    for (const handleId of ['1', '2', '3']) await client.request('fs/open', open(handleId));
    assert.match((await client.refused('fs/open', open('4')))[1], /^at most 3 file handles/);

    const host = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    const ask = (requestId: string) => ({ requestId, method: 'GET', url: host });
    const asked = ['1', '2'].map((id) => client.ask('http/request', ask(id)));
    assert.match((await client.refused('http/request', ask('3')))[1], /at most 2 requests/);

    // With those, these are more than four: what comes then waits until one of them is answered.
    const read = { processId: 'a', afterSeq: 0, waitMs: 600_000 };
    for (let count = 0; count < 3; count += 1) void client.ask('process/read', read).catch(() => undefined);
    await other.request('environment/status');
    const answered: string[] = [];
    const all = [...asked, client.request('environment/status')].map(async (answer, index) => {
      await answer;
      answered.push(index < asked.length ? 'http' : 'status');
    });
    // Without the quota, the first client would be answered first.
    await other.request('environment/status');
    await other.request('environment/status');
    held.forEach((socket) => socket.destroy());
    await Promise.all(all);
    assert.equal(answered[0], 'http', answered.join());
  });
});
