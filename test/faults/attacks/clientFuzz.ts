import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import { WebSocket, WebSocketServer } from 'ws';

import type { ExecProcess } from '../../../src/core/index.js';
import { RemoteBackend, webSocketConnector } from '../../../src/remote/index.js';
import { utf8 } from '../../support/bytes.js';
import { startOwnServer } from '../../support/execServer.js';
import { Random } from '../../support/random.js';
import { type Attack, inTime, Tally } from './attack.js';
import { damage, type Json, mutate } from './mutate.js';

/** One of so many messages of the server is changed, so that much goes right in between. */
const CHANGED_OF = 8;
const CALLS_A_CONNECTION = 200;
/** Clients side by side. Each waits most of the time, for answers that may never come. */
const CLIENTS = 16;
const AT_ONCE = 10;
/** An answer that was kept back is not waited for any longer. With 20 ms, a busy machine had answered nothing by then. */
const ANSWER_MS = 300;

/** A busy machine takes a second for a connection: with less time than this, most clients came to nothing. */
const CONNECT_MS = 10_000;
const RECOVERY_MS = 3_000;

/** A start is a fork, so each brings many messages, and there are few of them. */
const STARTS_EVERY = 20;
const MANY_LINES =
  'for n in 0 1 2 3 4 5 6 7 8 9; do for m in 0 1 2 3 4 5 6 7 8 9; do echo $n$m; done; done; exit 3';

type Call = (process: ExecProcess, backend: RemoteBackend) => Promise<unknown>;

const write: Call = (process) => process.write(utf8('text\n'));
const list: Call = (_, backend) => backend.list();
const read: Call = (process) => process.read();

/** For the three last the server reads all of `/proc`: with as many of them as of the others, a message took it 7 ms. */
const calls: readonly [Call, ...Call[]] = [
  write,
  ...Array.from({ length: 20 }, () => write),
  ...Array.from({ length: 8 }, () => list),
  ...Array.from({ length: 8 }, () => read),
  (_, backend) => backend.isListening(1),
  (process) => process.listeners(1),
  (process) => process.survivors(),
  (process) => process.stop({ graceMs: { interrupt: 1, terminate: 1 } }),
];

/** Stands between our client and a real server, and changes the server's messages. */
export const clientFuzz: Attack = {
  name: 'Answers and notifications with odd values, and texts that are no messages, at the client',
  unit: 'messages',
  amount: { short: 800, long: 100_000 },
  async run(amount, seed) {
    const tally = new Tally();
    const server = await startOwnServer({
      args: ['--no-auth', '--detached-session-seconds', '5', '--retention-seconds', '1'],
    });
    const liars = await Promise.all(
      Array.from({ length: CLIENTS }, (_, index) =>
        Liar.open(server.url, new Random(seed * CLIENTS + index), tally),
      ),
    );
    const goOn = () => (tally.counts['messages'] ?? 0) < amount && tally.faults.length === 0;
    try {
      await Promise.all(
        liars.map(async (liar) => {
          while (goOn()) await talk(liar, server.folder, tally);
        }),
      );
      if (Object.keys(Object.prototype).length > 0) tally.fault('Object.prototype has been changed');
    } finally {
      liars.forEach((liar) => liar.dispose());
      await server.stop();
    }
    return tally;
  },
};

/** Connects, calls everything there is, and leaves. Each call has to be settled then, and the events be in order. */
async function talk(liar: Liar, cwd: string, tally: Tally): Promise<void> {
  const { random } = liar;
  tally.count('connections');
  const recovery = { limitMs: RECOVERY_MS, firstRetryMs: 1 };
  const connector = webSocketConnector({ url: liar.url });
  const connecting = RemoteBackend.connect({
    connector,
    clientName: 'x',
    recovery,
    connectMs: CONNECT_MS,
    initializeMs: CONNECT_MS,
  });
  const connected = await inTime(connecting.catch(() => undefined));
  if (connected === undefined) {
    tally.fault('connecting did not end');
    return;
  }
  if (connected.value === undefined) {
    tally.count('refused');
    return;
  }
  const backend = connected.value;
  const made: Promise<unknown>[] = [];
  const processes: ExecProcess[] = [];
  const call = (promise: Promise<unknown>) => {
    tally.count('calls');
    made.push(promise.catch(() => tally.count('calls that failed')));
  };
  const settled = async (made: Promise<unknown>) => Promise.race([made, delay(ANSWER_MS)]);
  for (let count = 0; count < CALLS_A_CONNECTION && backend.connection.kind !== 'lost'; count++) {
    if (count % STARTS_EVERY === 0) {
      const argv = random.of([['cat'], ['/bin/sh', '-c', MANY_LINES]] as const);
      const tty = random.next() < 0.3;
      const params = { argv, cwd, env: {}, tty, pipeStdin: true, processId: `p${count}` };
      const starting = backend.start(params).then((started) => {
        processes.push(started);
        watchOrder(started, tally);
      });
      call(starting);
      await settled(starting.catch(() => undefined));
      continue;
    }
    const process = processes.at(-random.between(1, 3));
    if (process === undefined) continue;
    call(random.of(calls)(process, backend));
    // Answers come meanwhile: with a call after the other and no pause, the end would come before them.
    if (count % AT_ONCE === 0) await settled(Promise.all(made.slice(-AT_ONCE)));
  }
  await settled(Promise.all(made.slice(-AT_ONCE)));
  backend.disconnect();
  if ((await inTime(Promise.all(made))) === undefined) tally.fault('a call was never settled');
}

function watchOrder(process: ExecProcess, tally: Tally): void {
  let last = 0;
  process.subscribe({}, (event) => {
    if (!('seq' in event)) return;
    if (event.seq <= last) tally.fault(`number ${event.seq} came behind ${last}`);
    last = event.seq;
  });
}

/** A server that passes everything on to a real one, and not everything back as it was. */
class Liar {
  /** Chooses the changes, and the calls of the client. */
  readonly random: Random;
  readonly #server: WebSocketServer;
  readonly #target: string;
  readonly #tally: Tally;

  static async open(target: string, random: Random, tally: Tally): Promise<Liar> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    return new Liar(server, target, random, tally);
  }

  private constructor(server: WebSocketServer, target: string, random: Random, tally: Tally) {
    this.#server = server.on('connection', (client) => this.#connect(client));
    this.#target = target;
    this.random = random;
    this.#tally = tally;
  }

  get url(): string {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? `ws://127.0.0.1:${address.port}` : '';
  }

  dispose(): void {
    this.#server.clients.forEach((client) => client.terminate());
    this.#server.close();
  }

  #connect(client: WebSocket): void {
    const server = new WebSocket(this.#target);
    const early: (readonly [Buffer, boolean])[] = [];
    client.on('message', (bytes: Buffer, binary) => {
      if (server.readyState === WebSocket.OPEN) server.send(bytes, { binary });
      else early.push([bytes, binary]);
    });
    server.on('open', () => early.forEach(([bytes, binary]) => server.send(bytes, { binary })));
    server.on('message', (bytes: Buffer, binary) => {
      this.#tally.count('messages');
      if (this.random.between(1, CHANGED_OF) > 1) client.send(bytes, { binary });
      else this.#lie(client, bytes, binary);
    });
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => undefined).on('close', () => other.terminate());
    }
  }

  #lie(client: WebSocket, bytes: Buffer, binary: boolean): void {
    this.#tally.count('changed');
    const { random } = this;
    if (binary) {
      const place = random.between(0, bytes.byteLength - 1);
      client.send(random.next() < 0.5 ? bytes.subarray(0, place) : Buffer.concat([bytes, bytes]), { binary });
      return;
    }
    const text = bytes.toString();
    switch (random.between(0, 9)) {
      case 0:
        break; // It is kept back.
      case 1:
        client.send(text);
        client.send(text);
        break;
      case 2:
        client.send(damage(text, random));
        break;
      case 3:
        client.terminate();
        break;
      default:
        client.send(JSON.stringify(mutate(JSON.parse(text) as Json, random)));
    }
  }
}
