import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { engineConnector } from '../../../src/engines/index.js';
import { RemoteBackend } from '../../../src/remote/index.js';
import { noFleet, startFleet } from '../../rig/fleet.js';
import { collectEvents } from '../../support/collect.js';
import type { Measurement } from '../measurement.js';

const RTT_MS = 200;
const SIZES = {
  full: { rounds: 10, runs: 20 },
  quick: { rounds: 3, runs: 5 },
  check: { rounds: 3, runs: 5 },
};
const PLAIN = 'ssh';
const OURS = 'ours-ssh';

/** Measures a short command on a host with a slow and lossy line. Plain ssh is beside it. */
export const line: Measurement = {
  name: 'line',
  title: 'A short command over a line of 200 ms with 1 % loss',
  about:
    'Runs `/bin/true` on a host in a network namespace, and waits for its exit. `ssh` is a login for each command, `ours-ssh` a ' +
    'connection that is there.',
  quantities: [{ name: 'run', unit: 'ms', better: 'lower', statistics: ['p50'] }],
  claims: [
    { quantity: 'run', statistic: 'p50', of: OURS, atMost: 1.2 * RTT_MS },
    { quantity: 'run', statistic: 'p50', of: OURS, to: PLAIN },
  ],
  onRequest: true,
  async open({ scale, dist, rounds }) {
    const size = SIZES[scale];
    if (noFleet !== undefined) {
      return {
        contenders: [],
        rounds: 0,
        notes: [noFleet],
        run: () => Promise.resolve({}),
        close: () => Promise.resolve(),
      };
    }
    const fleet = await startFleet(1, () => undefined);
    await fleet.tell(`rtt ${RTT_MS}`);
    const [name = ''] = fleet.hosts;
    const connector = engineConnector({
      reached: { kind: 'member', member: { engine: 'ssh', name } },
      files: dist,
      version: '0.0.0',
      env: fleet.env,
      mayInstallNode: () => Promise.resolve(false),
    });
    const backend = await RemoteBackend.connect({ connector, clientName: 'bench', connectMs: 60_000 });
    await fleet.tell('loss 1');
    let count = 0;
    const ours = async () => {
      count += 1;
      const params = { processId: `p${count}`, argv: ['/bin/true'], cwd: '/', env: {} };
      await collectEvents(await backend.start({ ...params, tty: false, pipeStdin: false }));
    };
    const plain = () => once(spawn('ssh', [name, '/bin/true'], { env: fleet.env, stdio: 'ignore' }), 'exit');
    return {
      contenders: [PLAIN, OURS],
      rounds: rounds ?? size.rounds,
      notes: [],
      run: async (contender) => {
        const run: number[] = [];
        for (let made = 0; made < (contender === OURS ? size.runs : 1); made++) {
          const since = performance.now();
          await (contender === OURS ? ours() : plain());
          run.push(performance.now() - since);
        }
        return { run };
      },
      close: async () => {
        await backend.shutdown({ graceMs: { interrupt: 0 } });
        await fleet.stop();
      },
    };
  },
};
