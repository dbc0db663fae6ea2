import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { startOwned, temporaryFolder } from './lifetime.js';
import { root } from './paths.js';
import { findOnPath } from './programs.js';
import { makeSshdFolders, writeConfiguration } from './sshd.js';

/** Hosts in network namespaces, each with an sshd. The line to them can be slow and lossy, and it can be cut. */
export interface Fleet {
  /** The names of the hosts for ssh. */
  readonly hosts: readonly string[];
  /** The variables of a program whose `ssh` knows the hosts. */
  readonly env: NodeJS.ProcessEnv;
  /** The home of the account on a host. */
  home(host: string): string;
  /** Changes the line: see `wan.py`. Resolves once that is done. */
  tell(order: `rtt ${number}` | `loss ${number}` | `${'cut' | 'heal'} ${number | 'all'}`): Promise<void>;
  /** The number of established connections of ssh to each host. */
  connections(): readonly number[];
  stop(): Promise<void>;
}

/** Why there can be no fleet here; undefined if there can be one. */
export const noFleet: string | undefined =
  process.platform !== 'linux' || process.getuid?.() !== 0 || !fs.existsSync('/dev/net/tun')
    ? 'network namespaces need root and /dev/net/tun'
    : ['nsenter', 'python3', 'ssh', 'sshd'].find((name) => findOnPath([name], ['/usr/sbin']) === undefined);

/** @param programs Called with the folder of each host that is first on the PATH of its commands. */
export async function startFleet(size: number, programs: (folder: string) => void): Promise<Fleet> {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-fleet-')));
  const remove = temporaryFolder(folder);
  const inside = (...names: string[]): string => path.join(folder, ...names);
  const hosts = Array.from({ length: size }, (_, index) => `h${index + 1}`);
  for (const [index, name] of hosts.entries()) {
    fs.mkdirSync(inside(name));
    await makeSshdFolders(inside(name));
    writeConfiguration(inside(name), { name, address: `10.77.0.${index + 1}`, port: 22 });
    programs(inside(name, 'bin'));
  }
  const wan = await startOwned(
    'python3',
    [path.join(root, 'test', 'rig', 'wan.py'), ...hosts.map((name) => inside(name))],
    { stdio: ['pipe', 'pipe', 'inherit'] },
    { marker: folder },
  );
  const { stdin, stdout } = wan.child;
  if (stdin === null || stdout === null) throw new Error('wan.py has no pipes.');
  const answers = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const answered = async (): Promise<void> => {
    const answer = await answers.next();
    if (answer.done === true) throw new Error(`The line ${wan.ending() ?? 'has ended'}.`);
  };
  await answered();
  fs.writeFileSync(inside('ssh_config'), `Include ${folder}/*/ssh_config\n`);
  fs.mkdirSync(inside('bin'));
  const here = `--net=/proc/${wan.pid}/ns/net`;
  const ssh = `exec nsenter ${here} ${findOnPath(['ssh'])} -F ${inside('ssh_config')} "$@"`;
  fs.writeFileSync(inside('bin', 'ssh'), `#!/bin/sh\n${ssh}\n`, { mode: 0o755 });
  return {
    hosts,
    env: { ...process.env, PATH: `${inside('bin')}:${process.env['PATH']}` },
    home: (host) => inside(host, 'home'),
    tell: (order) => {
      stdin.write(`${order}\n`);
      return answered();
    },
    connections: () => {
      const table = execFileSync('nsenter', [here, 'cat', '/proc/net/tcp'], { encoding: 'utf8' });
      return hosts.map((_, index) => {
        // The address backwards, the port, and the state ESTABLISHED; all are hexadecimal.
        const row = ` ${(index + 1).toString(16).padStart(2, '0')}004D0A:0016 01 `;
        return table.toUpperCase().split(row.toUpperCase()).length - 1;
      });
    },
    stop: async () => {
      await wan.stop();
      await remove();
    },
  };
}
