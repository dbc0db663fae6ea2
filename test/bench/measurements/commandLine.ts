import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { temporaryFolder } from '../../rig/lifetime.js';
import { endSessionServersIn } from '../../support/sessionServers.js';
import { bundlePrograms } from '../bundle.js';
import { machineEnv, startMachine } from '../machineIn.js';
import type { Measurement, Samples } from '../measurement.js';
import { rateIntoPipe } from '../rateIntoPipe.js';
import { fileSource } from '../source.js';
import type { DriverSpec } from '../worker/driver.js';
import { startWorker, type Worker, workerNamed } from '../workerProcess.js';

/** The output is long enough for the compiler of a program that has just begun not to count. */
const SIZES = {
  full: { rounds: 7, runs: 10, keys: 60, bytes: 512e6 },
  quick: { rounds: 3, runs: 5, keys: 30, bytes: 256e6 },
  check: { rounds: 3, runs: 5, keys: 30, bytes: 256e6 },
} as const;
const WARM_UP = 5;
const PAUSE = { leastPauseMs: 1, mostPauseMs: 9 } as const;
const NODE = 'node';
const SOCKET = 'socket';
const CLI = 'exec-sessions';

/** The command line beside what it is made of: Node, and the socket of the session server. */
export const commandLine: Measurement = {
  name: 'command-line',
  title: 'The command line',
  about:
    '`run`: `exec-sessions run /bin/true` from its start to its end, beside `node -e 0`, with a session server that runs. `rate`: the ' +
    'output of `cat` (512 MB; 256 in short runs) through `exec-sessions run` into `wc`, and `echo`: keys in ' +
    'its terminal, as above; `socket` is our client on the socket of the same server, with sessions that the server owns as well, ' +
    'and for `rate` in a program that has just begun.',
  quantities: [
    { name: 'run', unit: 'ms', better: 'lower', statistics: ['p50'] },
    { name: 'rate', unit: 'MB/s', better: 'higher', statistics: ['p50'] },
    { name: 'echo', unit: 'ms', better: 'lower', statistics: ['p50', 'p99'] },
  ],
  claims: [
    // 15 ms more than 1.3, where Node takes 50.
    { quantity: 'run', statistic: 'p50', of: CLI, to: NODE, atMost: 1.6 },
    { quantity: 'rate', statistic: 'p50', of: CLI, to: SOCKET, atLeast: 0.8 },
    { quantity: 'echo', statistic: 'p50', of: CLI, to: SOCKET, difference: true, atMost: 1.5 },
  ],
  async open({ scale, dist, rounds }) {
    const { runs, keys, bytes, ...size } = SIZES[scale];
    const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-bench-c-')));
    const remove = temporaryFolder(folder);
    const machine = await startMachine(folder, dist);
    const variables = Object.entries(machineEnv(folder)).map(([name, value]) => `${name}=${value}`);
    const program: readonly [string, ...string[]] = [
      '/usr/bin/env',
      ...variables,
      process.execPath,
      path.join(dist, 'exec-sessions.js'),
      'run',
      '--',
    ];
    const socket = {
      kind: 'remote',
      address: { kind: 'unix', path: machine.socket },
      keepsOutput: false,
    } as const;
    const drivers: Readonly<Record<string, DriverSpec>> = {
      [NODE]: { kind: 'raw', through: [process.execPath, '-e', '0', '--'] },
      [SOCKET]: socket,
      [CLI]: { kind: 'raw', through: program },
    };
    const { worker } = await bundlePrograms();
    const workers = new Map<string, Worker>();
    for (const [name, driver] of Object.entries(drivers)) {
      workers.set(name, await startWorker(worker, driver, folder));
    }
    const { argv, expectedBytes, sha256 } = fileSource(path.join(folder, 'text'), bytes, false);
    const flood = { tty: false, argv, expectedBytes } as const;
    const workerOf = (name: string) => workerNamed(workers, name);
    const run = (name: string, count: number) => workerOf(name).call('startToClosed', { tty: false, count });
    // The command line is a program that has just begun, so the other one is too.
    const freshFolder = path.join(folder, 'fresh');
    fs.mkdirSync(freshFolder);
    const socketRate = async () => {
      const fresh = await startWorker(worker, socket, freshFolder);
      const { rate } = await fresh.call('throughput', flood);
      await fresh.stop();
      return rate;
    };
    const rate = (name: string) =>
      name === CLI ? rateIntoPipe([...program, ...argv], expectedBytes) : socketRate();
    const echo = (name: string, count: number) => workerOf(name).call('echo', { count, ...PAUSE });
    return {
      contenders: [...workers.keys()],
      rounds: rounds ?? size.rounds,
      notes: [],
      warmUp: async (name) => {
        await run(name, WARM_UP);
        if (name !== NODE) {
          await workerOf(name).call('throughput', { ...flood, sha256 });
        }
      },
      run: async (name): Promise<Samples> => {
        const times = name === SOCKET ? {} : { run: await run(name, runs) };
        if (name === NODE) {
          return times;
        }
        return { ...times, rate: [await rate(name)], echo: await echo(name, keys) };
      },
      close: async () => {
        await Promise.all([...workers.values()].map((each) => each.stop()));
        machine.disconnect();
        await endSessionServersIn(folder);
        await remove();
      },
    };
  },
};
