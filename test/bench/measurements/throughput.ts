import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { temporaryFolder } from '../../rig/lifetime.js';
import { Contenders, everybody } from '../contenders.js';
import type { Claim, Measurement, OpenMeasurement, Samples } from '../measurement.js';
import { usageOf } from '../processUsage.js';
import { countingSource, fileSource, type Source } from '../source.js';

const MIB = 1024 * 1024;
const SIZES = {
  full: { rounds: 10, bytes: 128 * MIB },
  quick: { rounds: 5, bytes: 32 * MIB },
  check: { rounds: 5, bytes: 32 * MIB },
} as const;
const GB = 1e9;

const CHECKED =
  'from the first output that comes to the last. Every run is checked: each number once and in order, and all bytes; the ' +
  'warm-up compares a hash of everything. `cpu` is the processor time of the server for each GB, its helpers included, and ' +
  '`wire` is how many bytes it and the program have written for each byte of output; the kernel counts them together.';
const rate = { quantity: 'rate', statistic: 'p50' } as const;
const always: readonly Claim[] = [
  { ...rate, of: 'raw-again', to: 'raw' },
  { ...rate, of: 'ours-unix', to: 'raw' },
  { quantity: 'cpu', statistic: 'p50', of: 'ours-ws', to: 'codex' },
  { quantity: 'wire', statistic: 'p50', of: 'client-unix' },
];

export const throughputPipes = throughputMeasurement({
  name: 'throughput-pipes',
  title: 'Output of one process, pipes',
  about: `128 MiB (32 in short runs) that \`seq\` makes and writes in blocks of 4 KB, as C programs do, ${CHECKED}`,
  tty: false,
  source: countingSource,
  claims: [
    { ...rate, of: 'ours-ws', to: 'codex', atLeast: 1, aim: 1.1 },
    { ...rate, of: 'ours-ws', to: 'raw', atLeast: 0.4, aim: 0.5 },
    { ...rate, of: 'client-ws', to: 'codex', atLeast: 1.5 },
    { ...rate, of: 'client-ws', to: 'raw', atLeast: 0.7 },
    { ...rate, of: 'client-unix', to: 'raw', atLeast: 0.7 },
    { ...rate, of: 'local', to: 'raw', atLeast: 0.9 },
  ],
});

/** The child costs nothing here, so plain Node is bounded by the kernel alone, and no goal compares with it. */
export const throughputBlocks = throughputMeasurement({
  name: 'throughput-blocks',
  title: 'Output of one process, pipes, in large blocks',
  about: `The same amount from \`cat\`, which makes nothing and writes blocks of 128 KB, ${CHECKED}`,
  tty: false,
  source: (file, bytes) => fileSource(file, bytes, false),
  claims: [
    { ...rate, of: 'ours-ws', to: 'codex', atLeast: 1 },
    { ...rate, of: 'ours-ws', to: 'raw' },
    { ...rate, of: 'client-ws', to: 'codex' },
    { ...rate, of: 'local', to: 'raw' },
  ],
});

export const throughputTerminal = throughputMeasurement({
  name: 'throughput-terminal',
  title: 'Output of one process, terminal',
  about: `\`cat\` of 128 MiB (32 in short runs) of numbered lines on a terminal, ${CHECKED}`,
  tty: true,
  source: (file, bytes) => fileSource(file, bytes, true),
  claims: [
    { ...rate, of: 'ours-ws', to: 'codex', atLeast: 1, aim: 1.1 },
    { ...rate, of: 'ours-ws', to: 'raw', atLeast: 0.75, aim: 0.9 },
    { ...rate, of: 'client-ws', to: 'raw', atLeast: 0.95 },
    { ...rate, of: 'client-unix', to: 'raw', atLeast: 0.95 },
    { ...rate, of: 'local', to: 'raw', atLeast: 0.95 },
    { ...rate, of: 'bare', to: 'codex' },
    { ...rate, of: 'bare', to: 'raw' },
    { ...rate, of: 'ours-ws', to: 'bare' },
  ],
});

interface ThroughputOptions extends Pick<Measurement, 'name' | 'title' | 'about' | 'claims'> {
  readonly tty: boolean;
  readonly source: (file: string, bytes: number) => Source;
}

function throughputMeasurement({ tty, source, claims, ...names }: ThroughputOptions): Measurement {
  return {
    ...names,
    quantities: [
      { name: 'rate', unit: 'MB/s', better: 'higher', statistics: ['p50'] },
      { name: 'cpu', unit: 's/GB', better: 'lower', statistics: ['p50'] },
      { name: 'wire', unit: '×', better: 'lower', statistics: ['p50'] },
    ],
    claims: [...always, ...claims],
    async open(options): Promise<OpenMeasurement> {
      const { rounds, bytes } = SIZES[options.scale];
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-bench-text-'));
      const remove = temporaryFolder(folder);
      const { sha256, ...run } = source(path.join(folder, 'text'), bytes);
      // The bare server has no flow control: it would take all output of a pipe into memory. A terminal is slower than
      // the network.
      const names = everybody.filter((name) => name !== 'bare' || tty);
      const contenders = await Contenders.open(names, options);
      const outOfOrder = new Map<string, number>();
      return {
        contenders: contenders.names,
        rounds: options.rounds ?? rounds,
        get notes() {
          return [...outOfOrder].map(([name, events]) => `${name}: ${events} events came out of order.`);
        },
        warmUp: async (name) => {
          await contenders.get(name).worker.call('throughput', { tty, ...run, sha256 });
        },
        run: async (name): Promise<Samples> => {
          const { worker, server } = contenders.get(name);
          const before = server && usageOf(server.pid);
          const result = await worker.call('throughput', { tty, ...run });
          const after = server && usageOf(server.pid);
          if (result.outOfOrder > 0) {
            outOfOrder.set(name, (outOfOrder.get(name) ?? 0) + result.outOfOrder);
          }
          return {
            rate: [result.rate],
            ...(before &&
              after && {
                cpu: [(after.cpuSeconds - before.cpuSeconds) / (run.expectedBytes / GB)],
                wire: [(after.writtenBytes - before.writtenBytes) / run.expectedBytes],
              }),
          };
        },
        close: async () => {
          await contenders.close();
          await remove();
        },
      };
    },
  };
}
