import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';

import { Cable } from '../support/cable.js';
import { until } from '../support/until.js';

/** One end of a connection, with the text it has received. */
interface End {
  readonly socket: net.Socket;
  readonly text: string;
  /** The error code with which it ended, or `closed`; undefined while it is open. */
  readonly ending: string | undefined;
}

function watch(socket: net.Socket): End {
  let text = '';
  let ending: string | undefined;
  socket.setEncoding('utf8').on('data', (data: string) => (text += data));
  socket.on('error', (error: NodeJS.ErrnoException) => (ending = error.code));
  socket.on('close', () => (ending ??= 'closed'));
  return {
    socket,
    get text() {
      return text;
    },
    get ending() {
      return ending;
    },
  };
}

/** Tests of the cable that other tests rely on. */
describe('The cable @all', () => {
  let listener: net.Server;
  let cable: Cable;
  const servers: End[] = [];
  const clients: End[] = [];

  beforeEach(async () => {
    listener = net.createServer((socket) => servers.push(watch(socket))).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    cable = await Cable.open((listener.address() as net.AddressInfo).port);
  });

  afterEach(() => {
    cable.dispose();
    listener.close();
    for (const { socket } of [...servers.splice(0), ...clients.splice(0)]) socket.destroy();
  });

  const dial = (): End => {
    const client = watch(net.connect(Number(cable.place), '127.0.0.1'));
    clients.push(client);
    return client;
  };

  const connect = async (): Promise<{ client: End; server: End }> => {
    const count = servers.length;
    const client = dial();
    await until(() => servers.length > count);
    const server = servers[count];
    assert.ok(server);
    return { client, server };
  };

  const exchange = async ({ client, server }: { client: End; server: End }): Promise<void> => {
    client.socket.write('question');
    await until(
      () => server.text,
      (seen) => seen.endsWith('question'),
    );
    server.socket.write('answer');
    await until(
      () => client.text,
      (seen) => seen.endsWith('answer'),
    );
  };

  it('passes bytes and ends on, in both directions', async () => {
    const { client, server } = await connect();
    await exchange({ client, server });
    assert.equal(cable.connections, 1);
    client.socket.end('bye');
    await until(() => server.ending !== undefined && client.ending !== undefined);
    assert.deepEqual([server.text, server.ending], ['questionbye', 'closed']);
    await until(() => cable.connections, 0);
    assert.equal(cable.opened, 1);
  });

  it('passes 32 MiB on to a reader that is late', async () => {
    const { client, server } = await connect();
    client.socket.pause();
    const block = Buffer.alloc(1024 * 1024, 'x');
    for (let count = 0; count < 32; count++) server.socket.write(block);
    server.socket.end();
    client.socket.resume();
    await until(() => client.ending !== undefined);
    assert.deepEqual([client.text.length, client.ending], [32 * 1024 * 1024, 'closed']);
  });

  it('is cut: both sides see a reset, and a new connection works', async () => {
    const { client, server } = await connect();
    cable.cut();
    await until(() => client.ending !== undefined && server.ending !== undefined);
    assert.deepEqual([client.ending, server.ending], ['ECONNRESET', 'ECONNRESET']);
    await exchange(await connect());
    assert.equal(cable.opened, 2);
  });

  it('is cut on one side, and the other does not notice until it is told', async () => {
    const { client, server } = await connect();
    cable.cut('client');
    await until(() => client.ending !== undefined);
    server.socket.write('is anybody there?');
    await exchange(await connect());
    assert.equal(server.ending, undefined);
    cable.cut('server');
    await until(() => server.ending !== undefined);
    assert.deepEqual([client.ending, server.ending], ['ECONNRESET', 'ECONNRESET']);
  });

  it('is blocked: nothing comes through on old and new connections, until it does', async () => {
    const { client, server } = await connect();
    cable.block();
    const late = dial();
    await until(() => cable.opened, 2);
    client.socket.write('1');
    server.socket.write('2');
    late.socket.write('3');
    // A cable beside it shows that bytes had the time to arrive.
    const beside = await Cable.open(cable.target);
    const probe = watch(net.connect(Number(beside.place), '127.0.0.1'));
    probe.socket.write('4');
    await until(
      () => servers,
      (seen) => seen.some(({ text }) => text === '4'),
    );
    assert.deepEqual(
      [client.text, server.text, client.ending, server.ending],
      ['', '', undefined, undefined],
    );
    beside.dispose();
    cable.unblock();
    await until(() => server.text === '1' && client.text === '2');
    await until(
      () => servers,
      (seen) => seen.some(({ text }) => text === '3'),
    );
  });

  it('is unplugged: new connections are refused, old ones go on, and the port stays', async () => {
    const old = await connect();
    cable.refuse();
    const refused = dial();
    await until(() => refused.ending !== undefined);
    assert.equal(refused.ending, 'ECONNREFUSED');
    await exchange(old);
    await cable.accept();
    await exchange(await connect());
  });

  it('is cut after some bytes, which still arrive', async () => {
    const { client, server } = await connect();
    const cut = cable.cutAfter(5, 'toServer');
    client.socket.write('123');
    await until(() => server.text, '123');
    server.socket.write('this way is not counted');
    await until(() => client.text !== '');
    client.socket.write('45678');
    await cut;
    await until(() => client.ending !== undefined && server.ending !== undefined);
    // The server's ending is not checked: libuv takes a reset that arrives together with bytes for a normal end.
    assert.deepEqual([server.text, client.ending], ['12345', 'ECONNRESET']);
  });

  it('is cut before the next answer, which is lost', async () => {
    const { client, server } = await connect();
    const cut = cable.cutAfter(0, 'toClient');
    client.socket.write('question');
    await until(() => server.text, 'question');
    server.socket.write('answer');
    await cut;
    await until(() => client.ending !== undefined);
    assert.deepEqual([client.text, client.ending], ['', 'ECONNRESET']);
  });

  it('leads to another server when that is asked for', async () => {
    await exchange(await connect());
    const other = net.createServer((socket) => socket.end('the other')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    cable.target = (other.address() as net.AddressInfo).port;
    const client = dial();
    await until(() => client.text, 'the other');
    other.close();
  });

  it('resets its clients while there is no server', async () => {
    listener.close();
    const client = dial();
    await until(() => client.ending !== undefined);
    assert.equal(client.ending, 'ECONNRESET');
  });
});
