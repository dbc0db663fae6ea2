import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { temporaryFolder } from '../../rig/lifetime.js';
import { endSessionServersIn, sessionServersOf } from '../../support/sessionServers.js';
import { bundlePrograms } from '../bundle.js';
import { startMachine } from '../machineIn.js';
import type { Measurement } from '../measurement.js';
import { usageOf } from '../processUsage.js';
import { fileSource } from '../source.js';
import { startWorker, type Worker, workerNamed } from '../workerProcess.js';

const MB = 1e6;
const GB = 1e9;
const SIZES = {
  full: { rounds: 10, bytes: 128 * MB },
  quick: { rounds: 5, bytes: 32 * MB },
  check: { rounds: 5, bytes: 32 * MB },
} as const;
const MEMORY = 'in memory';
const DISK = 'on disk';

/** The cost of keeping the output of a session on disk as well. */
export const keptOutput: Measurement = {
  name: 'kept-output',
  title: 'Output that is kept on disk',
  about:
    'The output of `cat`, 128 MB (32 in short runs), of a session of the session server whose output is also kept on disk (`on disk`, ' +
    'with the usual limits: the newest 20 MiB), beside one whose output is not (`in memory`). Every byte is checked. `cpu` is the ' +
    'processor time of the session server for each GB.',
  quantities: [
    { name: 'rate', unit: 'MB/s', better: 'higher', statistics: ['p50'] },
    { name: 'cpu', unit: 's/GB', better: 'lower', statistics: ['p50'] },
  ],
  claims: [
    { quantity: 'rate', statistic: 'p50', of: DISK, to: MEMORY, atLeast: 0.8 },
    { quantity: 'cpu', statistic: 'p50', of: DISK, to: MEMORY },
  ],
  async open({ scale, dist, rounds }) {
    const { bytes, ...size } = SIZES[scale];
    const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-bench-k-')));
    const remove = temporaryFolder(folder);
    const machine = await startMachine(folder, dist);
    const [server = 0] = sessionServersOf(folder);
    const { worker: program } = await bundlePrograms();
    const start = (keepsOutput: boolean) =>
      startWorker(
        program,
        { kind: 'remote', address: { kind: 'unix', path: machine.socket }, keepsOutput },
        folder,
      );
    const workers = new Map<string, Worker>([
      [MEMORY, await start(false)],
      [DISK, await start(true)],
    ]);
    const { sha256, ...flood } = fileSource(path.join(folder, 'text'), bytes, false);
    const workerOf = (name: string) => workerNamed(workers, name);
    return {
      contenders: [...workers.keys()],
      rounds: rounds ?? size.rounds,
      notes: [],
      warmUp: async (name) => {
        await workerOf(name).call('throughput', { tty: false, ...flood, sha256 });
      },
      run: async (name) => {
        const before = usageOf(server).cpuSeconds;
        const { rate } = await workerOf(name).call('throughput', { tty: false, ...flood });
        return { rate: [rate], cpu: [(usageOf(server).cpuSeconds - before) / (bytes / GB)] };
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
