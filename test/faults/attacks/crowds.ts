import { webSocketClient } from '../../server/program.js';
import type { RawClient } from '../../server/rawClient.js';
import { startOwnServer } from '../../support/execServer.js';
import { type Attack, inTime, Tally } from './attack.js';
import { peakMiB, untilNothingRuns } from './leftovers.js';

const AT_ONCE = 100;

/** Many processes of one server, which is killed in the end. */
export const crowds: Attack = {
  name: 'Processes side by side on a server, which is killed',
  unit: 'processes',
  amount: { short: 200, long: 2_000 },
  async run(amount) {
    const tally = new Tally();
    const server = await startOwnServer({ args: ['--max-processes', String(amount)] });
    try {
      const client = await webSocketClient(server.url);
      await client.handshake();
      for (let count = 0; count < amount; count += AT_ONCE) {
        await startSome(client, server.folder, count);
      }
      const listed = await inTime(client.request('process/list', {}));
      const processes = (listed?.value['processes'] ?? []) as readonly { readonly state: string }[];
      const running = processes.filter(({ state }) => state === 'running').length;
      if (running !== amount) tally.fault(`${running} are listed as running`);
      tally.count('processes', running);
      tally.most('MiB at most', peakMiB(server.pid));
      process.kill(server.pid, 'SIGKILL');
      await untilNothingRuns(server.folder, 'after the server', tally);
    } finally {
      await server.stop();
    }
    return tally;
  },
};

async function startSome(client: RawClient, folder: string, from: number): Promise<void> {
  const names = Array.from({ length: AT_ONCE }, (_, index) => `p${from + index}`);
  await Promise.all(names.map((name) => client.start(name, ['sleep', '1000'], { cwd: `file://${folder}` })));
}
