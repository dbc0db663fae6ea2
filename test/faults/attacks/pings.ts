import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';

import { WebSocket } from 'ws';

import { webSocketClient } from '../../server/program.js';
import { startOwnServer } from '../../support/execServer.js';
import { type Attack, inTime, Tally } from './attack.js';
import { peakMiB } from './leftovers.js';

/** A server alone takes about 70. */
const MOST_MIB = 300;

const AT_ONCE = 1_000;

/** Each ping makes the server answer, and nobody here waits for the answers before asking on. */
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
      const socket = new WebSocket(server.url);
      await once(socket, 'open');
      let answers = 0;
      const over = new Promise<void>((resolve) => {
        socket.on('error', () => undefined).on('close', resolve);
        socket.on('pong', () => {
          answers += 1;
          if (answers === amount) resolve();
        });
      });
      for (let count = 0; count < amount; count += 1) {
        socket.ping('x'.repeat(125));
        // The witness has to answer the pings of the server meanwhile.
        if (count % AT_ONCE === 0) await setImmediate();
      }
      if ((await inTime(witness.request('environment/status'))) === undefined)
        tally.fault('another client is not answered');
      if ((await inTime(over)) === undefined) tally.fault(`${answers} answers, and the connection goes on`);
      tally.count('answered', answers);
      tally.most('MiB at most', peakMiB(server.pid));
      if (peakMiB(server.pid) > MOST_MIB) tally.fault(`${peakMiB(server.pid)} MiB`);
      socket.terminate();
    } finally {
      await server.stop();
    }
    return tally;
  },
};
