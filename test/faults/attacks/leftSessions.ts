import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { webSocketClient } from '../../server/program.js';
import { startOwnServer } from '../../support/execServer.js';
import { openFiles } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { Random } from '../../support/random.js';
import { type Attack, inTime, Tally } from './attack.js';
import { peakMiB, untilNothingRuns } from './leftovers.js';

const AT_ONCE = 100;
/** One in so many sessions has a process, which has to end with it. */
const WITH_PROCESS = 50;
/** The longest time for which the server keeps sessions: a long run opens thousands within it, and it is over in time. */
const LONGEST_SECONDS = 30;
const SESSIONS_A_SECOND = 100;

/** Clients that come, open a session, and are never seen again. */
export const leftSessions: Attack = {
  name: 'Sessions that are opened and left',
  unit: 'sessions',
  amount: { short: 200, long: 10_000 },
  async run(amount, seed) {
    const tally = new Tally();
    const random = new Random(seed);
    const seconds = Math.min(Math.ceil(amount / SESSIONS_A_SECOND), LONGEST_SECONDS);
    const server = await startOwnServer({ args: ['--detached-session-seconds', String(seconds)] });
    const folder = path.join(server.folder, 'left');
    fs.mkdirSync(folder);
    const cwd = pathToFileURL(folder).href;
    try {
      const old = await webSocketClient(server.url);
      await old.handshake();
      await old.start('old', ['sleep', '1000']);
      const before = openFiles(server.pid).size;
      for (let count = 0; count < amount; count += AT_ONCE) {
        await Promise.all(Array.from({ length: AT_ONCE }, () => leave(server.url, cwd, random, tally)));
      }
      tally.most('MiB at most', peakMiB(server.pid));
      await untilNothingRuns(folder, 'after the sessions', tally);
      // Some pipes are kept ready, now more and now fewer.
      const left = () =>
        [...openFiles(server.pid).values()].filter((file) => !file.startsWith('pipe:')).length;
      if ((await inTime(until(() => left() <= before))) === undefined)
        tally.fault(`${left()} descriptors, ${before} before`);
      const { processes } = await old.request('process/list', {});
      const states = (processes as { readonly state: string }[]).map(({ state }) => state);
      if (states.join() !== 'running') tally.fault(`the session of before has: ${states.join()}`);
    } finally {
      await server.stop();
    }
    return tally;
  },
};

async function leave(url: string, cwd: string, random: Random, tally: Tally): Promise<void> {
  const client = await webSocketClient(url);
  await client.handshake();
  if (random.between(1, WITH_PROCESS) === 1) {
    await client.start('p', ['sleep', '1000'], { cwd });
    tally.count('processes');
  }
  client.transport.destroy('left');
  tally.count('sessions');
}
