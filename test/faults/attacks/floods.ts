import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';

import { unixClient } from '../../server/program.js';
import { sh, startParams } from '../../server/rawClient.js';
import { command, ownServer, startServer } from '../../support/execServer.js';
import { Random } from '../../support/random.js';
import { type Attack, inTime, Tally } from './attack.js';
import { peakMiB, untilNothingRuns } from './leftovers.js';

const AT_ONCE = 4;
const REQUESTS = 50;
/** A server alone takes about 70, and keeps at most 1 MiB of each process, and 128 MiB for each reader. */
const MOST_MIB = 700;
const LINES = 20_000;

/** Programs that print as fast as they can, for clients that read nothing, and another client that works. */
export const floods: Attack = {
  name: 'Floods of output for clients that do not read',
  unit: 'floods',
  amount: { short: AT_ONCE, long: 40 },
  async run(amount, seed) {
    const tally = new Tally();
    const random = new Random(seed);
    const server = await startServer((home) => {
      const argv = [process.execPath, ownServer, '--listen', `unix:${path.join(home.folder, 'socket')}`];
      const args = ['--detached-session-seconds', '1'];
      return command(argv as [string], home.env, { cwd: home.folder, args });
    });
    const file = server.url.replace(/^unix:/, '');
    try {
      for (let count = 0; count < amount; count += AT_ONCE) {
        const deaf = await Promise.all(
          Array.from({ length: AT_ONCE }, () => floodTheDeaf(file, server.folder, random)),
        );
        tally.count('floods', AT_ONCE);
        const worker = await unixClient(file);
        await worker.handshake();
        if ((await inTime(work(worker, tally))) === undefined) tally.fault('another client cannot work');
        worker.transport.close();
        deaf.forEach((socket) => socket.destroy());
        await untilNothingRuns(server.folder, 'after the floods', tally);
      }
      tally.most('MiB at most', peakMiB(server.pid));
      if (peakMiB(server.pid) > MOST_MIB) tally.fault(`the server has taken ${peakMiB(server.pid)} MiB`);
    } finally {
      await server.stop();
    }
    return tally;
  },
};

/** @returns a connection that reads until its program has been started, and nothing more. */
async function floodTheDeaf(file: string, folder: string, random: Random): Promise<net.Socket> {
  const socket = net.connect(file).on('error', () => undefined);
  const argv = random.of([['yes'], ['cat', '/dev/zero'], sh('yes >&2'), sh('yes & yes >&2')]);
  const params = startParams('flood', argv, { cwd: `file://${folder}`, tty: random.next() < 0.5 });
  for (const message of [
    { id: 1, method: 'initialize', params: { clientName: randomBytes(4).toString('hex') } },
    { method: 'initialized', params: {} },
    { id: 2, method: 'process/start', params },
  ]) {
    socket.write(`${JSON.stringify(message)}\n`);
  }
  let heard = '';
  for await (const [chunk] of on(socket)) {
    heard += String(chunk);
    if (heard.includes('"id":2') || heard.includes('process/output')) break;
  }
  return socket.pause();
}

async function* on(socket: net.Socket): AsyncGenerator<readonly unknown[]> {
  while (!socket.destroyed) yield await once(socket, 'data');
}

async function work(client: Awaited<ReturnType<typeof unixClient>>, tally: Tally): Promise<void> {
  for (let count = 0; count < REQUESTS; count++) {
    const start = performance.now();
    await client.request('environment/status');
    tally.most('ms for an answer at most', Math.round(performance.now() - start));
  }
  await client.start('lines', ['seq', `${LINES}`]);
  await client.told('lines', 'closed');
  const lines = client.output('lines').split('\n').length - 1;
  if (lines !== LINES) tally.fault(`${lines} of ${LINES} lines came to another client`);
}
