import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';

import { WebSocket } from 'ws';

import { webSocketClient } from '../../server/program.js';
import { startOwnServer } from '../../support/execServer.js';
import { type Attack, inTime, Tally } from './attack.js';
import { peakMiB } from './leftovers.js';

/** A server alone takes about 70. */
const MOST_MIB = 300;

/** So many at once are answered. A server ends a connection with more than 60 answers that wait to be sent. */
const AT_ONCE = 50;

/** One hasty client comes for so many answered pings. */
const HASTY_EVERY = 1_000;

/** A hasty client that is not ended until then is a fault. */
const MOST_ROUNDS = 200;

const PING = 'x'.repeat(125);

/**
 * Each ping makes the server answer. It answers clients that wait for the answer, for as long as they like, and never
 * much in advance.
 */
export const pings: Attack = {
  name: 'Pings without a pause',
  unit: 'pings',
  amount: { short: 2_000, long: 100_000 },
  async run(amount) {
    const tally = new Tally();
    const server = await startOwnServer();
    try {
      const witness = await webSocketClient(server.url);
      await witness.handshake();
      const patient = await open(server.url);
      const ended = once(patient, 'close').then(() => 'the end');
      for (let count = 0; count < amount; count += AT_ONCE) {
        const answer = await inTime(Promise.race([ping(patient, AT_ONCE), ended]));
        if (answer?.value !== 'answered') {
          tally.fault(`${count} are answered, then ${answer?.value ?? 'silence'}`);
          break;
        }
        tally.count('answered', AT_ONCE);
        if (count % HASTY_EVERY === 0) await inHaste(server.url, tally);
      }
      if ((await inTime(witness.request('environment/status'))) === undefined)
        tally.fault('another client is not answered');
      tally.most('MiB at most', peakMiB(server.pid));
      if (peakMiB(server.pid) > MOST_MIB) tally.fault(`${peakMiB(server.pid)} MiB`);
      patient.terminate();
    } finally {
      await server.stop();
    }
    return tally;
  },
};

async function open(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url).on('error', () => undefined);
  await once(socket, 'open');
  return socket;
}

/** Resolves once all are answered. */
function ping(socket: WebSocket, count: number): Promise<'answered'> {
  return new Promise((resolve) => {
    let answers = 0;
    const heard = () => {
      answers += 1;
      if (answers < count) return;
      socket.off('pong', heard);
      resolve('answered');
    };
    socket.on('pong', heard);
    for (let each = 0; each < count; each += 1) socket.ping(PING);
  });
}

/** Asks on and never waits. The server ends this client before its answers take memory. */
async function inHaste(url: string, tally: Tally): Promise<void> {
  const socket = await open(url);
  const ended = once(socket, 'close');
  for (let round = 0; round < MOST_ROUNDS && socket.readyState === WebSocket.OPEN; round += 1) {
    for (let each = 0; each < HASTY_EVERY; each += 1) socket.ping(PING);
    // The witness is in this process as well, and has to answer the pings of the server.
    await setImmediate();
  }
  if ((await inTime(ended)) === undefined) tally.fault('who never waits is not hung up');
  tally.count('who did not wait hung up');
  socket.terminate();
}
