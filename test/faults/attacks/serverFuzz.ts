import path from 'node:path';

import { unixClient, webSocketClient } from '../../server/program.js';
import type { RawClient } from '../../server/rawClient.js';
import {
  command,
  ownServer,
  type RunningServer,
  startOwnServer,
  startServer,
} from '../../support/execServer.js';
import { Random } from '../../support/random.js';
import { type Attack, inTime, Tally } from './attack.js';
import { peakMiB } from './leftovers.js';
import { damage, mutate } from './mutate.js';
import { anyRequest } from './requests.js';

/** The codes of known errors; any other one would be an unforeseen error. */
const KNOWN_CODES: ReadonlySet<number> = new Set([-32600, -32601, -32602, -32603, -32004]);

/** A changed number may make these wait for long. */
const MAY_WAIT: ReadonlySet<string> = new Set(['process/read', 'process/stop', 'http/request']);

const MESSAGES_A_CONNECTION = 100;

/** Sends messages to a server that no client of ours would send, and then a text that is not a message. */
export const serverFuzz: Attack = {
  name: 'Requests with odd values, and texts that are no messages, at the server',
  unit: 'messages',
  amount: { short: 4_000, long: 200_000 },
  async run(amount, seed) {
    const tally = new Tally();
    const random = new Random(seed);
    // Sessions end soon after their connections, so that what was started does not pile up.
    const args = ['--detached-session-seconds', '1'];
    await attack(
      await startOwnServer({ args }),
      ({ url }) => webSocketClient(url),
      amount / 2,
      random,
      tally,
    );
    const unix = await startServer((home) => {
      const argv = [process.execPath, ownServer, '--listen', `unix:${path.join(home.folder, 'socket')}`];
      return command(argv as [string], home.env, { cwd: home.folder, args });
    });
    await attack(unix, ({ url }) => unixClient(url.replace(/^unix:/, '')), amount / 2, random, tally);
    return tally;
  },
};

async function attack(
  server: RunningServer,
  connect: (server: RunningServer) => Promise<RawClient>,
  amount: number,
  random: Random,
  tally: Tally,
): Promise<void> {
  try {
    const witness = await connect(server);
    await witness.handshake();
    for (let sent = 0; sent < amount; sent += MESSAGES_A_CONNECTION) {
      await talk(await connect(server), server.folder, random, tally);
      if ((await inTime(witness.request('environment/status'))) === undefined) {
        tally.fault('another client is not answered');
        return;
      }
    }
    tally.most('MiB at most', peakMiB(server.pid));
    for (const line of server
      .stderr()
      .split('\n')
      .filter((text) => text.includes('Unexpected fault'))) {
      tally.fault(line);
    }
  } catch (error) {
    tally.fault(`${String(error)} ${server.stderr()}`);
  } finally {
    await server.stop();
  }
}

/** One connection: many requests, and at its end a text that is no message. Each request has to be answered once. */
async function talk(client: RawClient, folder: string, random: Random, tally: Tally): Promise<void> {
  tally.count('connections');
  // Some begin without the handshake.
  if (random.next() < 0.9) await client.handshake();
  const owed = new Map<number, string>();
  for (let id = 1_000; id < 1_000 + MESSAGES_A_CONNECTION; id++) {
    const { method, params } = anyRequest(folder, random);
    client.send({ id, method, params: random.next() < 0.3 ? params : mutate(params, random) });
    if (!MAY_WAIT.has(method)) owed.set(id, method);
  }
  const answers = new Map<unknown, number>();
  let seen = 0;
  const isAnswered = () => {
    for (const message of client.heard.slice(seen)) {
      if ('id' in message) answers.set(message.id, (answers.get(message.id) ?? 0) + 1);
    }
    seen = client.heard.length;
    return [...owed.keys()].every((id) => answers.has(id));
  };
  if ((await inTime(client.untilTrue(isAnswered))) === undefined) {
    const silent = [...owed].filter(([id]) => !answers.has(id)).map(([, method]) => method);
    tally.fault(`no answer to ${silent.join(', ')}`);
  }
  tally.count('messages', MESSAGES_A_CONNECTION);
  for (const message of client.heard) {
    if (!('error' in message)) continue;
    tally.count('errors');
    if (!KNOWN_CODES.has(message.error.code)) tally.fault(`unknown code: ${JSON.stringify(message.error)}`);
  }
  for (const [id, count] of answers) if (count > 1) tally.fault(`${count} answers to ${String(id)}`);
  client.send(damage(JSON.stringify({ id: 1, ...anyRequest(folder, random) }), random));
  tally.count('messages');
  // Some leave in good order, others just go.
  if (random.next() < 0.5) client.transport.close();
  else client.transport.destroy('the attack');
  await client.ended;
}
