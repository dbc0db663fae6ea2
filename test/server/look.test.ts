import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { userInfo } from 'node:os';
import { isDeepStrictEqual } from 'node:util';

import { LocalBackend } from '../../src/local/index.js';
import { CONCURRENT_PROBES } from '../../src/server/limits.js';
import { freePort } from '../support/freePort.js';
import { describeOnLinux } from '../support/onLinux.js';
import { until } from '../support/until.js';
import { useServer } from './inProcess.js';
import { sh } from './rawClient.js';

describe('The input mode over the wire', () => {
  const fixture = useServer();

  it('is that of the terminal, and null without a terminal, and after its end', async () => {
    const client = await fixture.client();
    const modeOf = async (processId: string) =>
      (await client.request('process/inputMode', { processId }))['mode'];
    await client.start('tty', sh('stty -echo; echo ready; read line'), { tty: true });
    await client.untilTrue(() => client.output('tty').includes('ready'));
    assert.deepEqual(await modeOf('tty'), { canonical: true, echo: false, enterIsLineFeed: true });
    await client.start('pipes', ['cat'], { pipeStdin: true });
    assert.equal(await modeOf('pipes'), null);
    await client.request('process/write', { processId: 'tty', chunk: 'Cg==', writeId: 'a' });
    await client.told('tty', 'exited');
    assert.equal(await modeOf('tty'), null);
  });

  it('is reported only for the client’s own processes', async () => {
    const [one, other] = [await fixture.client(), await fixture.client()];
    await one.start('p', ['cat'], { tty: true });
    assert.deepEqual(await other.refused('process/inputMode', { processId: 'p' }), [
      -32600,
      'unknown process id p',
    ]);
    assert.deepEqual(await one.refused('process/inputMode', {}), [
      -32602,
      '"processId" is missing: it has to be a string',
    ]);
  });

  it('is reported for a starting process once it has started', async () => {
    const client = await fixture.client();
    const [, { mode }] = await Promise.all([
      client.start('p', ['cat'], { tty: true }),
      client.request('process/inputMode', { processId: 'p' }),
    ]);
    assert.deepEqual(mode, { canonical: true, echo: true, enterIsLineFeed: true });
  });
});

describeOnLinux('The wait for input over the wire', () => {
  const fixture = useServer();

  it('is that of the client’s own process, and null after its end', async () => {
    const [client, other] = [await fixture.client(), await fixture.client()];
    const waitOf = async (processId: string) =>
      (await client.request('process/inputWait', { processId }))['wait'];
    await client.start('tty', sh('printf "Proceed? "; read x'), { tty: true });
    await until(
      () => waitOf('tty'),
      (wait) => isDeepStrictEqual(wait, { kind: 'line', question: 'Proceed?' }),
    );
    assert.deepEqual(await other.refused('process/inputWait', { processId: 'tty' }), [
      -32600,
      'unknown process id tty',
    ]);
    await client.request('process/write', { processId: 'tty', chunk: 'Cg==', writeId: 'a' });
    await client.told('tty', 'exited');
    assert.equal(await waitOf('tty'), null);
  });
});

describe('Ports over the wire', () => {
  const fixture = useServer();

  it('are those of the server’s machine, from 1 to 65535', async () => {
    const client = await fixture.client();
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    assert.deepEqual(await client.request('host/isListening', { port }), { listening: true });
    server.close();
    await once(server, 'close');
    assert.deepEqual(await client.request('host/isListening', { port }), { listening: false });
    for (const bad of [0, 65_536, -1, 1.5]) {
      assert.deepEqual(await client.refused('host/isListening', { port: bad }), [
        -32602,
        `port must be a whole number from 1 to 65535, got ${bad}`,
      ]);
    }
    assert.equal((await client.refused('host/isListening', { port: '80' }))[0], -32602);
  });
});

describeOnLinux('The listener at a port, over the wire', () => {
  const fixture = useServer();

  it('is told by the client’s own names, and by the handle of what another client has started', async () => {
    const [one, other] = [await fixture.client(), await fixture.client()];
    const port = await freePort();
    await one.start('mine', [
      process.execPath,
      '-e',
      `require('net').createServer().listen(${port}, '127.0.0.1')`,
    ]);
    await other.start('idle', ['sleep', '1000']);
    const ask = async (client: typeof one, processId: string) => {
      const { listeners } = await client.request('process/listeners', { processId, port });
      return listeners as readonly Record<string, unknown>[];
    };
    await until(async () => (await ask(one, 'mine')).length > 0);
    const [seen] = await ask(one, 'mine');
    assert.deepEqual(seen, {
      addresses: ['127.0.0.1'],
      own: true,
      pid: seen?.['pid'],
      command: 'node',
      user: userInfo().username,
      handle: seen?.['handle'],
      processId: 'mine',
    });
    const [foreign, ...more] = await ask(other, 'idle');
    assert.deepEqual(more, []);
    assert.equal(typeof seen.handle, 'string');
    const ofOther = { ...seen, own: false, later: foreign?.['later'] };
    assert.deepEqual({ ...foreign, processId: 'mine' }, ofOther);
    assert.equal(foreign?.['processId'], undefined);
    assert.deepEqual(await other.refused('process/listeners', { processId: 'mine', port }), [
      -32600,
      'unknown process id mine',
    ]);
    assert.deepEqual(await other.refused('process/listeners', { processId: 'idle', port: 0 }), [
      -32602,
      'port must be a whole number from 1 to 65535, got 0',
    ]);
  });
});

describe('Looks at ports that take long', () => {
  const looks: { readonly port: number; readonly answer: (listening: boolean) => void }[] = [];
  class SlowBackend extends LocalBackend {
    override isListening(port: number): Promise<boolean> {
      return new Promise((answer) => looks.push({ port, answer }));
    }
  }
  const fixture = useServer({ makeBackend: (options) => new SlowBackend(options) });
  beforeEach(() => void looks.splice(0));
  const ports = Array.from({ length: CONCURRENT_PROBES + 2 }, (_, index) => index + 1);

  it('are limited in number for each connection, and run in order', async () => {
    const client = await fixture.client();
    const answers = Promise.all(ports.map((port) => client.request('host/isListening', { port })));
    await client.request('process/list');
    assert.equal(looks.length, CONCURRENT_PROBES);
    // The looks of another connection do not wait for these.
    const other = await fixture.client();
    const answer = other.request('host/isListening', { port: 99 });
    await until(() => looks.at(-1)?.port, 99);
    looks.at(-1)?.answer(true);
    assert.deepEqual(await answer, { listening: true });
    for (let next = 0; next < ports.length + 1; next += 1) {
      await until(() => looks.length > next);
      looks[next]?.answer(false);
    }
    assert.ok((await answers).every(({ listening }) => listening === false));
    assert.deepEqual(
      looks.map(({ port }) => port).filter((port) => port !== 99),
      ports,
    );
  });

  it('are not begun for a connection that has ended', async () => {
    const client = await fixture.client();
    ports.forEach((port) => client.send({ id: port + 100, method: 'host/isListening', params: { port } }));
    await client.request('process/list');
    client.transport.destroy('gone');
    const other = await fixture.client();
    await other.request('process/list');
    looks.forEach(({ answer }) => answer(true));
    await other.request('process/list');
    assert.equal(looks.length, CONCURRENT_PROBES);
  });
});
