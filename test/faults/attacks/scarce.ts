import path from 'node:path';

import { unixClient } from '../../server/program.js';
import { startParams } from '../../server/rawClient.js';
import { command, ownServer, startServer } from '../../support/execServer.js';
import { Random } from '../../support/random.js';
import { type Attack, inTime, Tally } from './attack.js';
import { untilNothingRuns } from './leftovers.js';

const AT_ONCE = 40;
const LIMITS = [64, 40] as const;

/** More starts than there are descriptors for. */
export const scarce: Attack = {
  name: 'Starts with few descriptors left',
  unit: 'starts',
  amount: { short: AT_ONCE * LIMITS.length, long: 720 },
  async run(amount, seed) {
    const tally = new Tally();
    const random = new Random(seed);
    for (const limit of LIMITS) {
      for (let count = 0; count < amount / LIMITS.length; count += AT_ONCE) {
        await startMany(limit, random, tally);
      }
    }
    return tally;
  },
};

async function startMany(limit: number, random: Random, tally: Tally): Promise<void> {
  const server = await startServer((home) => {
    const listen = ['--listen', `unix:${path.join(home.folder, 'socket')}`];
    const argv = ['prlimit', `--nofile=${limit}`, process.execPath, ownServer, ...listen] as const;
    return command(argv, home.env, { cwd: home.folder });
  });
  try {
    const client = await unixClient(server.url.replace(/^unix:/, ''));
    await client.handshake();
    const cwd = `file://${server.folder}`;
    const start = (processId: string) => {
      const some = { cwd, tty: random.next() < 0.5, pipeStdin: random.next() < 0.5 };
      return client.ask('process/start', startParams(processId, ['sleep', '1000'], some));
    };
    const starts = Array.from({ length: AT_ONCE }, (_, index) => start(`p${index}`));
    const answers = await inTime(Promise.all(starts));
    if (answers === undefined) tally.fault('a start was not answered');
    for (const { error } of answers?.value ?? []) tally.count(error === undefined ? 'started' : 'refused');
    const stops = starts.map((_, index) => client.ask('process/terminate', { processId: `p${index}` }));
    if ((await inTime(Promise.all(stops))) === undefined) tally.fault('a stop was not answered');
    await untilNothingRuns(server.folder, `with ${limit} descriptors`, tally);
    const started = answers?.value.flatMap(({ error }, index) => (error === undefined ? [`p${index}`] : []));
    // The server has their descriptors until it has seen the end of their output, a little after that of the processes.
    if ((await inTime(Promise.all((started ?? []).map((id) => client.told(id, 'closed'))))) === undefined) {
      tally.fault('the end of an output was not told');
    }
    const { error } = await client.ask('process/start', startParams('again', ['true'], { cwd }));
    if (error !== undefined) tally.fault(`no start afterwards: ${error.message}`);
  } finally {
    await server.stop();
  }
}
