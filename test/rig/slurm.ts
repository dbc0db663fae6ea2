import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { freePort } from '../support/freePort.js';
import { killIfThere } from '../support/killIfThere.js';
import { until } from '../support/until.js';
import { type OwnedProcess, runOwned, startOwned, temporaryFolder } from './lifetime.js';
import { ensureSlurmPrograms } from './programs.js';

/** A cluster of Slurm with virtual nodes on this machine: a job owns its processes, and every node has the same files. */
export interface Slurm {
  /** A folder of its own; all its processes have it in a variable. */
  readonly folder: string;
  /** The variables of its clients. */
  readonly env: Readonly<Record<string, string>>;
  readonly nodes: readonly string[];
  /** Runs one of its programs, such as `scancel`, within a time: with a dead controller they wait. */
  run(program: string, ...args: readonly string[]): Promise<string>;
  /** Kills the service of a node, and every step there. */
  killNode(node: string): void;
  stop(): Promise<void>;
}

const PROGRAM_SECONDS = 20;
const CONTROL_GROUPS = '/sys/fs/cgroup';
/** Steps are kept together in a group of this kind. */
const FREEZER = path.join(CONTROL_GROUPS, 'freezer');

/** @throws Error with one line, which says why there can be no cluster here. */
export function ensureSlurm(): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    throw new Error('The tests of Slurm are run on Linux, as root');
  }
  const probe = path.join(FREEZER, `es-${process.pid}`);
  try {
    fs.mkdirSync(probe);
    fs.rmdirSync(probe);
  } catch {
    throw new Error(`The tests of Slurm need control groups of version 1 (${FREEZER})`);
  }
  ensureSlurmPrograms();
}

/** @param count The number of nodes. */
export async function startSlurm(count: number): Promise<Slurm> {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-slurm-')));
  const remove = temporaryFolder(folder);
  // Services of Slurm run as users of their own.
  fs.chmodSync(folder, 0o755);
  // The control groups of another cluster have other names.
  const nodes = Array.from({ length: count }, (_, index) => `p${process.pid}n${index + 1}`);
  const env = {
    ...{ SLURM_CONF: path.join(folder, 'slurm.conf'), HOME: path.join(folder, 'home'), LANG: 'C.UTF-8' },
    PATH: `${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
  };
  fs.mkdirSync(env.HOME, { mode: 0o700 });
  const services: OwnedProcess[] = [];
  const slurmds = new Map<string, OwnedProcess>();
  const start = async (program: string, ...args: readonly string[]) => {
    const log = fs.openSync(path.join(folder, 'services.log'), 'a');
    const options = { env, cwd: folder, stdio: ['ignore', log, log] as 'ignore'[] };
    const service = await startOwned(program, args, options, { marker: folder });
    fs.closeSync(log);
    services.unshift(service);
    return service;
  };
  const run: Slurm['run'] = (program, ...args) =>
    runOwned('timeout', [String(PROGRAM_SECONDS), program, ...args], { env, cwd: folder });
  const stop = async () => {
    for (const service of services) await service.stop();
    for (const node of nodes) removeGroups(`slurm_${node}`);
    // The server of a job removes its folder, unless it was killed.
    const folders = fs.readdirSync('/tmp').filter((name) => /^exec-sessions-job-\d+-/.test(name));
    for (const name of folders.filter((folderName) =>
      nodes.some((node) => folderName.endsWith(`-${node}`)),
    )) {
      fs.rmSync(path.join('/tmp', name), { recursive: true });
    }
    await remove();
  };
  try {
    await startMunge(folder, start);
    const ports = await Promise.all(nodes.map(freePort));
    const lines = nodes.map((node, index) => nodeLine(node, ports[index] ?? 0));
    fs.writeFileSync(env.SLURM_CONF, configuration(folder, await freePort(), lines));
    fs.writeFileSync(
      path.join(folder, 'cgroup.conf'),
      `CgroupPlugin=cgroup/v1\nCgroupMountpoint=${CONTROL_GROUPS}\nCgroupAutomount=no\n`,
    );
    await start('slurmctld', '-D', '-c');
    for (const node of nodes) slurmds.set(node, await start('slurmd', '-D', '-N', node));
    const idle = () => run('sinfo', '-h', '-t', 'idle', '-o', '%D').catch(String);
    await until(idle, (answer) => answer.trim() === String(count));
  } catch (error) {
    const said = fs.readFileSync(path.join(folder, 'services.log'), 'utf8').slice(-2_000);
    await stop();
    throw new Error(`Slurm did not come up: ${String(error)}\n${said}`, { cause: error });
  }
  return {
    ...{ folder, env, nodes, run, stop },
    killNode: (node) => {
      slurmds.get(node)?.child.kill('SIGKILL');
      for (const pid of processesIn(`slurm_${node}`)) killIfThere(pid);
    },
  };
}

type Start = (program: string, ...args: readonly string[]) => Promise<OwnedProcess>;

/** The service by which the parts of a cluster know each other. It refuses to run as root. */
async function startMunge(folder: string, start: Start): Promise<void> {
  const own = path.join(folder, 'munge');
  fs.mkdirSync(own, { mode: 0o755 });
  fs.writeFileSync(path.join(own, 'key'), randomBytes(128), { mode: 0o400 });
  await runOwned('chown', ['-R', 'munge:', own], {});
  const files = ['key-file', 'socket', 'pid-file', 'log-file', 'seed-file'].map(
    (option) => `--${option}=${path.join(own, option.replace('-file', ''))}`,
  );
  await start('setpriv', '--reuid=munge', '--regid=munge', '--clear-groups', 'munged', '-F', ...files);
  await until(() => fs.existsSync(path.join(own, 'socket')));
}

const nodeLine = (name: string, port: number): string =>
  `NodeName=${name} NodeHostName=${os.hostname().split('.')[0]} NodeAddr=127.0.0.1 Port=${port} CPUs=16 RealMemory=2000`;

/** Everything is on the loopback. A node that says nothing for 15 seconds is down. */
const configuration = (folder: string, port: number, nodes: readonly string[]): string => `ClusterName=es
SlurmctldHost=${os.hostname().split('.')[0]}(127.0.0.1)
SlurmctldPort=${port}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=${folder}/munge/socket
CredType=cred/munge
StateSaveLocation=${folder}/state
SlurmctldPidFile=${folder}/ctld.pid
SlurmdPidFile=${folder}/%n.pid
SlurmdSpoolDir=${folder}/spool-%n
SlurmctldLogFile=${folder}/ctld.log
SlurmdLogFile=${folder}/%n.log
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ProctrackType=proctrack/cgroup
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SlurmdTimeout=15
KillWait=3
ReturnToService=2
MessageTimeout=10
${nodes.join('\n')}
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:8
`;

/** The folders of a control group, those inside before those around them. */
function groupsOf(name: string): readonly string[] {
  const inside = (folder: string): readonly string[] => [
    ...fs
      .readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .flatMap((entry) => inside(path.join(folder, entry.name))),
    folder,
  ];
  return fs
    .readdirSync(CONTROL_GROUPS)
    .map((controller) => path.join(CONTROL_GROUPS, controller, name))
    .filter((folder) => fs.existsSync(folder))
    .flatMap(inside);
}

/** The processes of a control group. Those that supervise steps come before these: they would tell of their ends. */
function processesIn(group: string): readonly number[] {
  const found = [...groupsOf(group)]
    .reverse()
    .flatMap((folder) =>
      fs.readFileSync(path.join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number),
    );
  return [...new Set(found)];
}

function removeGroups(name: string): void {
  for (const folder of groupsOf(name)) {
    try {
      fs.rmdirSync(folder);
    } catch {
      // A process that ends is still in it; an empty group does no harm.
    }
  }
}
