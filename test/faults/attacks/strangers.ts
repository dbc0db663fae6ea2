import { once } from 'node:events';
import net from 'node:net';

import type { RawClient } from '../../server/rawClient.js';
import { webSocketClient } from '../../server/program.js';
import { startOwnServer } from '../../support/execServer.js';
import { openFiles } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { Random } from '../../support/random.js';
import { type Attack, inTime, Tally } from './attack.js';
import { peakMiB } from './leftovers.js';

const AT_ONCE = 400;
/** The first start of all brings the guard, at the other end of a socket, and it stays. */
const GUARD = 1;

/** Many connections that want nothing, or stop in the middle of a word. */
export const strangers: Attack = {
  name: 'Connections that are silent, stop half-way, or do nothing',
  unit: 'connections',
  amount: { short: AT_ONCE, long: 10_000 },
  async run(amount, seed) {
    const tally = new Tally();
    const random = new Random(seed);
    const server = await startOwnServer({ args: ['--detached-session-seconds', '1'] });
    try {
      const old = await webSocketClient(server.url);
      await old.handshake();
      // The first start of all brings the guard, which stays, at the other end of a socket.
      await serve(await webSocketClient(server.url));
      const before = descriptors(server.pid) + GUARD;
      for (let count = 0; count < amount; count += AT_ONCE) {
        const open = await Promise.all(
          Array.from({ length: AT_ONCE }, () => visit(server.url, server.port, random)),
        );
        tally.count('connections', AT_ONCE);
        tally.most('descriptors at most', descriptors(server.pid));
        if ((await inTime(old.request('environment/status'))) === undefined)
          tally.fault('the client of before is not answered');
        const newcomer = await inTime(webSocketClient(server.url).then(serve));
        if (newcomer === undefined) tally.fault('nobody can connect any more');
        open.forEach((leave) => leave());
        if ((await inTime(until(() => descriptors(server.pid) <= before))) === undefined)
          tally.fault(`${descriptors(server.pid)} descriptors, ${before} before`);
      }
      tally.most('MiB at most', peakMiB(server.pid));
    } finally {
      await server.stop();
    }
    return tally;
  },
};

async function serve(client: RawClient): Promise<void> {
  await client.handshake();
  await client.start('p', ['true']);
  await client.told('p', 'closed');
  client.transport.destroy('enough');
}

/** @returns what ends the visit. */
async function visit(url: string, port: number, random: Random): Promise<() => void> {
  const leave = (client: RawClient) => () => client.transport.destroy('the attack');
  switch (random.between(0, 3)) {
    case 0:
      return leave(await webSocketClient(url));
    case 1: {
      const client = await webSocketClient(url);
      await client.handshake();
      return leave(client);
    }
    default: {
      const socket = net.connect(port, '127.0.0.1').on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(random.of(['', 'G', 'GET / HTTP/1.1\r\n', 'GET / HTTP/1.1\r\nUpgrade: websocket\r\n']));
      return () => socket.destroy();
    }
  }
}

/** Without pipes: some are kept ready for starts, now more and now fewer. */
function descriptors(pid: number): number {
  return [...openFiles(pid).values()].filter((file) => !file.startsWith('pipe:')).length;
}
