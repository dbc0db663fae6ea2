import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import type { Machine } from '../../../src/machine/index.js';
import { temporaryFolder } from '../../rig/lifetime.js';
import { endSessionServersIn, sessionServersOf } from '../../support/sessionServers.js';
import { params } from '../../support/startParams.js';
import { bundlePrograms } from '../bundle.js';
import { findMachine, startMachine } from '../machineIn.js';
import type { BenchOptions, Measurement, Samples } from '../measurement.js';
import { usageOf } from '../processUsage.js';
import { fileSource } from '../source.js';
import { startWorker, type Worker, workerNamed } from '../workerProcess.js';

const MB = 1e6;
const SIZES = {
  full: { rounds: 10, starts: 20, keys: 60, bytes: 32 * MB, looks: 50 },
  quick: { rounds: 4, starts: 10, keys: 30, bytes: 16 * MB, looks: 20 },
  check: { rounds: 5, starts: 10, keys: 30, bytes: 16 * MB, looks: 20 },
} as const;
const WARM_UP = 30;
const PAUSE = { leastPauseMs: 1, mostPauseMs: 9 } as const;
const SERVER = 'session-server';
const HOST = 'local';

/** Compares a session server, as a window uses it, with the sessions of the window's own extension host. */
export const sessionServer: Measurement = {
  name: SERVER,
  title: 'The session server beside the extension host',
  about:
    'A session server that runs, through the client that a window has (`session-server`), beside the backend in the extension host ' +
    '(`local`): `start` and `echo` as above, in terminals; `flood` is the output of `cat` on a terminal, not drawn. Then, once a round ' +
    'with a server of its own: `cold` is until the first process has started where no server ran and no copy of its files was ' +
    'there, `look` until a window knows that none runs, and `memory N` what the server has resident with N sessions of `cat`.',
  quantities: [
    { name: 'start', unit: 'ms', better: 'lower', statistics: ['p50', 'p99'] },
    { name: 'echo', unit: 'ms', better: 'lower', statistics: ['p50', 'p99'] },
    { name: 'flood', unit: 'MB/s', better: 'higher', statistics: ['p50'] },
    { name: 'cold', unit: 'ms', better: 'lower', statistics: ['p50'] },
    { name: 'look', unit: 'ms', better: 'lower', statistics: ['p50'] },
    { name: 'memory 0', unit: 'MB', better: 'lower', statistics: ['p50'] },
    { name: 'memory 10', unit: 'MB', better: 'lower', statistics: ['p50'] },
    { name: 'memory 100', unit: 'MB', better: 'lower', statistics: ['p50'] },
  ],
  claims: [
    { quantity: 'start', statistic: 'p50', of: SERVER, to: HOST, difference: true, atMost: 3 },
    { quantity: 'echo', statistic: 'p50', of: SERVER, to: HOST, difference: true, atMost: 1.5 },
    { quantity: 'flood', statistic: 'p50', of: SERVER, to: HOST, atLeast: 0.85 },
    { quantity: 'look', statistic: 'p50', of: SERVER, atMost: 5 },
    { quantity: 'cold', statistic: 'p50', of: SERVER },
  ],
  async open(options) {
    const { rounds, starts, keys, bytes, looks } = SIZES[options.scale];
    const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-bench-s-')));
    const remove = temporaryFolder(folder);
    const { worker: program } = await bundlePrograms();
    const machine = await startMachine(path.join(folder, 'warm'), options.dist);
    const workers = new Map<string, Worker>([
      [
        HOST,
        await startWorker(program, { kind: 'local', guard: path.join(options.dist, 'guard.js') }, folder),
      ],
      [
        SERVER,
        await startWorker(
          program,
          { kind: 'remote', address: { kind: 'unix', path: machine.socket } },
          folder,
        ),
      ],
    ]);
    const { sha256, ...flood } = fileSource(path.join(folder, 'text'), bytes, true);
    const workerOf = (name: string) => workerNamed(workers, name);
    return {
      contenders: [...workers.keys()],
      rounds: options.rounds ?? rounds,
      notes: ['`flood` is not drawn: the drawn one needs the real VS Code.'],
      warmUp: async (name) => {
        const worker = workerOf(name);
        await worker.call('startToClosed', { tty: true, count: WARM_UP });
        await worker.call('echo', { count: WARM_UP, ...PAUSE });
        await worker.call('throughput', { tty: true, ...flood, sha256 });
      },
      run: async (name, round): Promise<Samples> => {
        const worker = workerOf(name);
        const start = await worker.call('startToClosed', { tty: true, count: starts });
        const echo = await worker.call('echo', { count: keys, ...PAUSE });
        const { rate } = await worker.call('throughput', { tty: true, ...flood });
        const own = name === SERVER ? await measureOwn(path.join(folder, String(round)), options, looks) : {};
        return { start, echo, flood: [rate], ...own };
      },
      close: async () => {
        await Promise.all([...workers.values()].map((worker) => worker.stop()));
        machine.disconnect();
        await endSessionServersIn(folder);
        await remove();
      },
    };
  },
};

/** Measures the cost for a window of a server that does not run yet. */
async function measureOwn(folder: string, { dist }: BenchOptions, looks: number): Promise<Samples> {
  const look: number[] = [];
  for (let index = 0; index < looks; index++) {
    const began = performance.now();
    await findMachine(folder, dist);
    look.push(performance.now() - began);
  }
  const began = performance.now();
  const machine = await startMachine(folder, dist);
  await startCat(machine, 'first');
  const cold = performance.now() - began;
  await machine.backend.terminate('first');
  const [pid = 0] = sessionServersOf(folder);
  const memory = async (count: number, before: number) => {
    for (let index = before; index < count; index++) {
      await startCat(machine, `cat ${index}`);
    }
    return [usageOf(pid).residentBytes / MB];
  };
  const samples = {
    look,
    'cold': [cold],
    'memory 0': await memory(0, 0),
    'memory 10': await memory(10, 0),
    'memory 100': await memory(100, 10),
  };
  machine.disconnect();
  await endSessionServersIn(folder);
  return samples;
}

async function startCat({ backend }: Machine, processId: string): Promise<void> {
  await backend.start({ ...params({ argv: ['cat'], processId, pipeStdin: true }), owned: true });
}
