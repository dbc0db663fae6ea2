import { webSocketClient } from '../../server/program.js';
import { startParams } from '../../server/rawClient.js';
import { startOwnServer } from '../../support/execServer.js';
import { type Attack, inTime, Tally } from './attack.js';
import { peakMiB } from './leftovers.js';

const MIB = 1024 * 1024;

/** A message of more than 262,144 values is refused as a whole: with these, it gets through to what reads it. */
const MANY = 80_000;

/** Makers of long contents for a message, by the number of bytes. */
const kinds: Readonly<Record<string, (bytes: number) => string>> = {
  'lists in lists': (bytes) => `{"id":1,"method":"process/read","params":${nested('[', ']', bytes)}}`,
  'objects in objects': (bytes) =>
    `{"id":1,"method":"process/read","params":${nested('{"a":', '}', bytes, '1')}}`,
  'lists that do not end': (bytes) => '['.repeat(bytes),
  'values in a list': (bytes) => `{"id":1,"method":"process/read","params":[1${',1'.repeat(bytes / 2)}]}`,
  'members': (bytes) => request('process/read', numbered(bytes)),
  'one member again and again': (bytes) =>
    `{"id":1,"method":"process/read","params":{"a":1${',"a":1'.repeat(bytes / 6)}}}`,
  'a long id': (bytes) => `{"id":"${'x'.repeat(bytes)}","method":"environment/status"}`,
  'a long method': (bytes) => request('x'.repeat(bytes), {}),
  'a long number': (bytes) =>
    `{"id":1,"method":"process/read","params":{"processId":"p","afterSeq":${'9'.repeat(bytes)}}}`,
  'escapes': (bytes) => `{"id":1,"method":"${'\\u001b'.repeat(bytes / 6)}"}`,
  'white space': (bytes) => `{"id":1,${' '.repeat(bytes)}"method":"environment/status"}`,
  'a text that does not end': (bytes) => `{"id":1,"method":"${'x'.repeat(bytes)}`,
  'a long path': (bytes) => request('fs/getMetadata', { path: `file:///${'x/'.repeat(bytes / 2)}` }),
  'a long name of a process': (bytes) =>
    request('process/start', startParams('x'.repeat(bytes), ['true'], {})),
  'arguments': (bytes) => request('process/start', startParams('p', repeated('x', bytes / 4))),
  'a long argument': (bytes) => request('process/start', startParams('p', ['true', 'x'.repeat(bytes)])),
  'variables': (bytes) => request('process/start', startParams('p', ['true'], { env: numbered(bytes) })),
  'variables over variables': (bytes) => {
    const many = numbered(bytes / 2);
    return request(
      'process/start',
      startParams('p', ['true'], { env: many, envPolicy: policy({ set: many }) }),
    );
  },
  'patterns of variables': (bytes) =>
    request(
      'process/start',
      startParams('p', ['true'], {
        envPolicy: policy({
          set: numbered(bytes / 2),
          includeOnly: repeated('*a*b*'.repeat(bytes / 10 / MANY), MANY),
        }),
      }),
    ),
  'headers': (bytes) =>
    request('http/request', {
      requestId: 'r',
      method: 'GET',
      url: 'http://127.0.0.1:1/',
      headers: repeated({ name: 'x', value: '1'.repeat(bytes / MANY) }, MANY),
    }),
  'input': (bytes) => request('process/write', { processId: 'p', chunk: 'A'.repeat(bytes), writeId: 'w' }),
};

/** Messages as large as is allowed, or larger than they look. */
export const largeMessages: Attack = {
  name: `Messages of ${Object.keys(kinds).length} kinds, full of one thing`,
  unit: 'MiB each',
  amount: { short: 2, long: 60 },
  async run(amount) {
    const tally = new Tally();
    const server = await startOwnServer();
    try {
      for (const [name, make] of Object.entries(kinds)) {
        // Made before any connection, since it takes seconds on a busy machine. In that time this process answers no
        // ping of the server, which would end the connections.
        const message = make(amount * MIB);
        const witness = await webSocketClient(server.url);
        await witness.handshake();
        const client = await webSocketClient(server.url);
        await client.handshake();
        client.send(message);
        tally.count('messages');
        const asked = witness.request('environment/status').then(
          () => undefined,
          (error: unknown) => String(error),
        );
        const other = await inTime(asked);
        if (other?.value !== undefined || other === undefined) {
          tally.fault(`another client is not answered with ${name}: ${other?.value ?? 'silence'}`);
          break;
        }
        // It is answered, or the connection is ended. An answer may bear no id, if that was not found.
        const answer = client.untilTrue(() => client.heard.length > 1).catch(() => undefined);
        if ((await inTime(Promise.race([answer, client.ended]))) === undefined) {
          tally.fault(`no answer to ${name}`);
        }
        tally.count(client.transport.end === undefined ? 'answered' : 'hung up');
        client.transport.destroy('the attack');
        witness.transport.close();
      }
      tally.most('MiB at most', peakMiB(server.pid));
    } finally {
      await server.stop();
    }
    return tally;
  },
};

function request(method: string, params: object): string {
  return JSON.stringify({ id: 1, method, params });
}

function nested(open: string, close: string, bytes: number, inner = ''): string {
  const depth = Math.floor(bytes / (open.length + close.length));
  return `${open.repeat(depth)}${inner}${close.repeat(depth)}`;
}

/** Variables, whose names are so long that all together have this size. */
function numbered(bytes: number): Readonly<Record<string, string>> {
  const name = 'N'.repeat(bytes / MANY);
  return Object.fromEntries(Array.from({ length: MANY }, (_, index) => [`${name}${index}`, '1']));
}

function repeated<T>(item: T, count: number): readonly T[] {
  return Array.from({ length: count }, () => item);
}

function policy(some: object): object {
  return { inherit: 'all', ignoreDefaultExcludes: true, exclude: [], set: {}, includeOnly: [], ...some };
}
