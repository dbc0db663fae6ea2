import assert from 'node:assert/strict';
import path from 'node:path';

import type { ConnectionState, ExecProcess } from '../../src/core/index.js';
import { listProcesses } from '../../src/local/marks/processTable.js';
import { commandConnector, RemoteBackend } from '../../src/remote/index.js';
import { startSshd } from '../rig/sshd.js';
import { Cable } from '../support/cable.js';
import { codexStdioServer, ifCodex } from '../support/codexServer.js';
import { collectEvents, untilOutput } from '../support/collect.js';
import { makeServerHome, ownServer, ownStdioServer, type ServerHome } from '../support/execServer.js';
import { killIfThere } from '../support/killIfThere.js';
import { commandLine } from '../support/processes.js';
import { until } from '../support/until.js';
import type { Slowness } from '../support/slowLink.js';

/** Four times in a second instead of every four seconds; a line then counts as silent after three quarters of one. */
const signOfLifeMs = 250;
const COUNT = 200;
const COUNT_SCRIPT = `i=0; while [ $i -lt ${COUNT} ]; do echo $i; i=$((i+1)); sleep 0.01; done; read x; echo "got $x"`;
const counted = `${Array.from({ length: COUNT }, (_, index) => `${index}\n`).join('')}got it\n`;

describe('A line through a command @all', () => {
  let home: ServerHome;
  let backend: RemoteBackend | undefined;
  let states: ConnectionState[];
  const stopped = new Set<number>();

  beforeEach(() => (home = makeServerHome()));
  afterEach(async () => {
    stopped.forEach((pid) => killIfThere(pid, 'SIGCONT'));
    stopped.clear();
    await backend?.shutdown({ graceMs: { interrupt: 0 } });
    backend = undefined;
    for (const { pid } of await find(home.folder)) {
      killIfThere(pid);
    }
    await home.remove();
  });

  const find = async (text: string) =>
    (await listProcesses()).filter(({ pid }) => commandLine(pid).includes(text));
  const stop = (pid: number) => {
    stopped.add(pid);
    process.kill(pid, 'SIGSTOP');
  };
  const kinds = () => states.map(({ kind }) => kind);

  const connect = async (argv: readonly string[]) => {
    const connector = commandConnector({ argv, cwd: home.folder, env: home.env });
    const to = await RemoteBackend.connect({ connector, clientName: 'x', signOfLifeMs });
    backend = to;
    states = [];
    to.onDidChangeConnection((state) => states.push(state));
    return to;
  };
  const count = (on: RemoteBackend): Promise<ExecProcess> =>
    on.start({
      processId: 'p',
      argv: ['/bin/sh', '-c', COUNT_SCRIPT],
      cwd: '/',
      env: { PATH: '/bin:/usr/bin' },
      tty: false,
      pipeStdin: true,
    });
  const assertWhole = async (process_: ExecProcess) => {
    const { stdout, exit } = await collectEvents(process_);
    assert.deepEqual([stdout, exit?.exitCode], [counted, 0]);
  };

  const bridge = () => {
    const socket = path.join(home.folder, 'own/socket');
    return { socket, argv: [process.execPath, ownServer, 'bridge', '--stdio', '--socket', socket] };
  };
  const servers: readonly {
    readonly name: string;
    readonly argv: () => Promise<readonly string[]>;
    readonly server: string;
  }[] = [
    {
      name: 'our server behind the bridge',
      argv: () => Promise.resolve(bridge().argv),
      server: '--listen unix:',
    },
    {
      name: 'our server on its pipes',
      argv: () => Promise.resolve(ownStdioServer()),
      server: '--listen stdio',
    },
    ...ifCodex({
      name: 'codex exec-server on its pipes',
      argv: codexStdioServer,
      server: 'exec-server --listen stdio',
    }),
  ];

  for (const { name, argv, server } of servers) {
    it(`is shown to be silent while the other side is stopped, and nothing is lost: ${name}`, async () => {
      const on = await connect(await argv());
      const counting = await count(on);
      await untilOutput(counting, '20\n');
      const own = (await listProcesses()).filter(
        ({ pid, ppid }) =>
          commandLine(pid).includes(server) &&
          (ppid === process.pid || commandLine(pid).includes(home.folder)),
      );
      assert.equal(own.length, 1);
      stop(own[0]?.pid ?? 0);
      await until(
        () => kinds(),
        (seen) => seen.includes('recovering'),
      );
      const [state] = states;
      assert.deepEqual(state?.kind === 'recovering' && state.reason, { kind: 'silent', seconds: 0.75 });
      const typed = counting.write(Buffer.from('it\n'));
      killIfThere(own[0]?.pid ?? 0, 'SIGCONT');
      assert.equal(await typed, 'accepted');
      await until(() => kinds().at(-1), 'connected');
      await assertWhole(counting);
      assert.ok(!kinds().includes('lost'));
    });

    it(`is not silent only because nothing is said: ${name}`, async () => {
      const on = await connect(await argv());
      const quiet = await on.start({
        processId: 'quiet',
        argv: ['/bin/sh', '-c', 'sleep 2; echo done'],
        cwd: '/',
        env: { PATH: '/bin:/usr/bin' },
        tty: false,
      });
      assert.equal((await collectEvents(quiet)).stdout, 'done\n');
      assert.deepEqual(states, []);
    });
  }

  const ownBridge = [process.execPath, ownServer, 'bridge', '--stdio'];
  const withSsh = async (
    server: readonly string[],
    slowness: Slowness | undefined,
    run: (cable: Cable, on: RemoteBackend) => Promise<void>,
  ) => {
    const sshd = await startSshd();
    const cable = await Cable.open(sshd.port, slowness);
    try {
      const [program = '', ...args] = sshd.argv(...server);
      await run(cable, await connect([program, '-o', `Port=${cable.place}`, ...args]));
    } finally {
      await backend?.shutdown({ graceMs: { interrupt: 0 } });
      backend = undefined;
      cable.dispose();
      for (const { pid } of await find('--listen unix:')) {
        if (commandLine(pid).includes(sshd.marker)) killIfThere(pid);
      }
      await sshd.stop();
    }
  };

  const overSsh = (run: (cable: Cable, counting: ExecProcess) => Promise<void>) =>
    withSsh(ownBridge, undefined, async (cable, on) => {
      const counting = await count(on);
      await untilOutput(counting, '20\n');
      await run(cable, counting);
      await until(() => kinds().at(-1), 'connected');
      await assertWhole(counting);
      assert.ok(!kinds().includes('lost'));
    });

  /** A line of 30 KB a second relates to twelve seconds as this line does to its own limit. */
  const slowLine: Slowness = { bytesPerSecond: 16 * 30_000, latencyMs: 10 };
  const slowServers: readonly { readonly name: string; readonly argv: () => Promise<readonly string[]> }[] = [
    { name: 'our server behind the bridge', argv: () => Promise.resolve(ownBridge) },
    { name: 'our server on its pipes', argv: () => Promise.resolve(ownStdioServer()) },
    ...ifCodex({ name: 'codex exec-server on its pipes', argv: codexStdioServer }),
  ];
  for (const { name, argv } of slowServers) {
    it(`over ssh is not silent only because it is slow: ${name}`, async () => {
      await withSsh(await argv(), slowLine, async (_, on) => {
        const [input, output] = [1_500_000, 750_000];
        const reading = await on.start({
          processId: 'slow',
          argv: ['/bin/sh', '-c', `head -c ${output} /dev/zero & head -c ${input} | wc -c >&2; wait`],
          cwd: '/',
          env: { PATH: '/bin:/usr/bin' },
          tty: false,
          pipeStdin: true,
        });
        const [{ stdout, stderr }, typed] = await Promise.all([
          collectEvents(reading),
          reading.write(Buffer.alloc(input)),
        ]);
        assert.deepEqual([typed, stdout.length, stderr.trim()], ['accepted', output, `${input}`]);
        assert.deepEqual(states, []);
      });
    });
  }

  it('over ssh, without its options, goes on when the cable that was pulled is there again', () =>
    overSsh(async (cable, counting) => {
      cable.block();
      await until(
        () => kinds(),
        (seen) => seen.includes('recovering'),
      );
      const typed = counting.write(Buffer.from('it\n'));
      cable.unblock();
      assert.equal(await typed, 'accepted');
    }));

  it('over ssh that never learns of the end goes on over another connection', () =>
    overSsh(async (cable, counting) => {
      cable.cut('server');
      const typed = counting.write(Buffer.from('it\n'));
      assert.equal(await typed, 'accepted');
      assert.ok(kinds().includes('recovering'));
      assert.ok(cable.opened > 1);
    }));
});
