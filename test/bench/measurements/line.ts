import { spawn } from 'node:child_process';
import { once } from 'node:events';

import type { HostVariables, Member } from '../../../src/core/index.js';
import { engineConnector } from '../../../src/engines/index.js';
import { RemoteBackend } from '../../../src/remote/index.js';
import { noFleet, startFleet } from '../../rig/fleet.js';
import { ensureSlurm, startSlurm } from '../../rig/slurm.js';
import { messageOf } from '../../rig/paths.js';
import { collectEvents } from '../../support/collect.js';
import type { Measurement } from '../measurement.js';

const RTT_MS = 200;
const SIZES = {
  full: { rounds: 10, runs: 20 },
  quick: { rounds: 3, runs: 5 },
  check: { rounds: 3, runs: 5 },
};

/** Another machine. */
interface Machine {
  readonly member: Member;
  /** The variables of the engine's program. */
  readonly env: HostVariables;
  /** The engine's own way to run `/bin/true` there. */
  readonly plainArgv: readonly [string, ...string[]];
  /** Called once our connection is there. */
  readonly connected?: () => Promise<unknown>;
  readonly stop: () => Promise<void>;
}

/** Measures a short command on another machine over our connection, beside the engine's own program. */
function shortCommand(options: {
  readonly parts: Pick<Measurement, 'name' | 'title' | 'about'>;
  readonly plain: string;
  readonly ours: string;
  readonly atMostMs?: number;
  /** Resolves with the reason if there can be no such machine here. */
  readonly start: () => Promise<Machine | string>;
}): Measurement {
  const { parts, plain, ours, atMostMs, start } = options;
  const claim = { quantity: 'run', statistic: 'p50', of: ours } as const;
  return {
    ...parts,
    quantities: [{ name: 'run', unit: 'ms', better: 'lower', statistics: ['p50'] }],
    claims: [...(atMostMs === undefined ? [] : [{ ...claim, atMost: atMostMs }]), { ...claim, to: plain }],
    onRequest: true,
    async open({ scale, dist, rounds }) {
      const size = SIZES[scale];
      const machine = await start();
      if (typeof machine === 'string') {
        return {
          contenders: [],
          rounds: 0,
          notes: [machine],
          run: () => Promise.resolve({}),
          close: () => Promise.resolve(),
        };
      }
      const { member, env, plainArgv, connected, stop } = machine;
      const connector = engineConnector({
        reached: { kind: 'member', member },
        files: dist,
        version: '0.0.0',
        env,
        mayInstallNode: () => Promise.resolve(false),
      });
      const backend = await RemoteBackend.connect({ connector, clientName: 'bench', connectMs: 60_000 });
      await connected?.();
      let count = 0;
      const runOurs = async () => {
        count += 1;
        const params = { processId: `p${count}`, argv: ['/bin/true'], cwd: '/', env: {} };
        await collectEvents(await backend.start({ ...params, tty: false, pipeStdin: false }));
      };
      const [program, ...args] = plainArgv;
      const runPlain = () => once(spawn(program, args, { env: { ...env }, stdio: 'ignore' }), 'exit');
      return {
        contenders: [plain, ours],
        rounds: rounds ?? size.rounds,
        notes: [],
        run: async (contender) => {
          const run: number[] = [];
          for (let made = 0; made < (contender === ours ? size.runs : 1); made++) {
            const since = performance.now();
            await (contender === ours ? runOurs() : runPlain());
            run.push(performance.now() - since);
          }
          return { run };
        },
        close: async () => {
          await backend.shutdown({ graceMs: { interrupt: 0 } });
          await stop();
        },
      };
    },
  };
}

export const line = shortCommand({
  parts: {
    name: 'line',
    title: 'A short command over a line of 200 ms with 1 % loss',
    about:
      'Runs `/bin/true` on a host in a network namespace, and waits for its exit. `ssh` is a login for each command, `ours-ssh` a ' +
      'connection that is there.',
  },
  plain: 'ssh',
  ours: 'ours-ssh',
  atMostMs: 1.2 * RTT_MS,
  start: async () => {
    if (noFleet !== undefined) {
      return noFleet;
    }
    const fleet = await startFleet(1, () => undefined);
    await fleet.tell(`rtt ${RTT_MS}`);
    const [name = ''] = fleet.hosts;
    return {
      member: { engine: 'ssh', name },
      env: fleet.env,
      plainArgv: ['ssh', name, '/bin/true'],
      connected: () => fleet.tell('loss 1'),
      stop: () => fleet.stop(),
    };
  },
});

export const step = shortCommand({
  parts: {
    name: 'step',
    title: 'A short command on a node of a job of Slurm',
    about:
      'Runs `/bin/true` on a virtual node, and waits for its exit. `srun` is a step for each command, `ours-srun` a connection that is ' +
      'there.',
  },
  plain: 'srun',
  ours: 'ours-srun',
  start: async () => {
    try {
      ensureSlurm();
    } catch (error) {
      return messageOf(error);
    }
    const slurm = await startSlurm(1);
    const [node = ''] = slurm.nodes;
    const job = '1';
    await slurm.run('salloc', '--no-shell', '-N1', '-c2');
    return {
      member: { engine: 'slurm', name: `${job}/${node}` },
      env: slurm.env,
      plainArgv: ['srun', '--overlap', '--jobid', job, '-w', node, '-N1', '-n1', '/bin/true'],
      stop: () => slurm.stop(),
    };
  },
});
