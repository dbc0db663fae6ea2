import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runOwned, startOwned, temporaryFolder } from './lifetime.js';
import { findOnPath } from './programs.js';

/** A real sshd on the loopback with keys of its own, and a client configuration that connects to it. */
export interface Sshd {
  /** The ssh command that runs `command` there as the current user. */
  argv(...command: readonly string[]): readonly string[];
  /**
   * A path in the command lines or the environment of its clients and everything they start, and of no other process.
   */
  readonly marker: string;
  /** The port that it listens at on the loopback. */
  readonly port: number;
  /** The HOME of commands that run there. */
  readonly home: string;
  /** A folder for programs, the first on their PATH. */
  readonly programs: string;
  stop(): Promise<void>;
}

const ATTEMPTS = 5;
const START_LIMIT_MS = 10_000;

/** Starts an sshd. Its commands have a home, a runtime folder and a folder for temporary files of their own. */
export async function startSshd(): Promise<Sshd> {
  const program = findOnPath(['sshd'], ['/usr/sbin']);
  if (program === undefined) throw new Error('There is no sshd. Install openssh-server.');
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-sshd-')));
  const remove = temporaryFolder(folder);
  const inside = (name: string): string => path.join(folder, name);
  try {
    await makeSshdFolders(folder);
    for (let attempt = 1; ; attempt++) {
      const port = await freePort();
      writeConfiguration(folder, { name: 'there', address: '127.0.0.1', port });
      const { owned, problem } = await start(program, inside('sshd_config'), folder, port);
      if (problem === undefined) {
        return {
          argv: (...command) => ['ssh', '-F', inside('ssh_config'), 'there', ...command],
          marker: folder,
          port,
          home: inside('home'),
          programs: inside('bin'),
          stop: async () => {
            await owned.stop();
            await remove();
          },
        };
      }
      await owned.stop();
      // Another program may have taken the port in between.
      if (attempt === ATTEMPTS) throw new Error(`sshd did not come up: ${problem}`);
    }
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Makes the folders for the commands of an sshd in its folder, and its keys. */
export async function makeSshdFolders(folder: string): Promise<void> {
  // sshd requires this folder when it is started as root. Usually the service creates it, but the service may not be
  // there.
  if (process.getuid?.() === 0) fs.mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const inside = (name: string): string => path.join(folder, name);
  for (const name of ['home', 'tmp', 'run', 'bin']) fs.mkdirSync(inside(name), { mode: 0o700 });
  for (const name of ['host_key', 'user_key']) {
    await runOwned('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', inside(name)], {});
  }
  fs.copyFileSync(inside('user_key.pub'), inside('authorized_keys'));
}

/** Writes the configurations of an sshd with this folder, and of its clients, for which it has the name `name`. */
export function writeConfiguration(
  folder: string,
  { name, address, port }: { readonly name: string; readonly address: string; readonly port: number },
): void {
  const inside = (file: string): string => path.join(folder, file);
  const user = os.userInfo().username;
  const variables = [
    `HOME=${inside('home')}`,
    `TMPDIR=${inside('tmp')}`,
    `XDG_RUNTIME_DIR=${inside('run')}`,
    `PATH=${inside('bin')}:${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
  ];
  fs.writeFileSync(
    inside('sshd_config'),
    lines(
      `ListenAddress ${address}`,
      `Port ${port}`,
      `HostKey ${inside('host_key')}`,
      `AuthorizedKeysFile ${inside('authorized_keys')}`,
      `AllowUsers ${user}`,
      'AuthenticationMethods publickey',
      'PermitRootLogin yes',
      'UsePAM no',
      // The strict checks would reject the folder: it is in /tmp, which is writable for everybody.
      'StrictModes no',
      'PidFile none',
      `SetEnv ${variables.join(' ')}`,
    ),
  );
  fs.writeFileSync(
    inside('ssh_config'),
    lines(
      `Host ${name}`,
      `HostName ${address}`,
      `Port ${port}`,
      `User ${user}`,
      `IdentityFile ${inside('user_key')}`,
      'IdentitiesOnly yes',
      'BatchMode yes',
      'StrictHostKeyChecking no',
      `UserKnownHostsFile ${inside('known_hosts')}`,
      'LogLevel ERROR',
    ),
  );
}

function lines(...content: readonly string[]): string {
  return `${content.join('\n')}\n`;
}

async function start(program: string, config: string, marker: string, port: number) {
  const owned = await startOwned(
    program,
    ['-D', '-e', '-f', config],
    { stdio: ['ignore', 'ignore', 'pipe'] },
    { marker },
  );
  let said = '';
  owned.child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
  const limit = Date.now() + START_LIMIT_MS;
  while (owned.ending() === undefined && Date.now() < limit) {
    if (await answers(port)) return { owned, problem: undefined };
    await delay(20);
  }
  return { owned, problem: `${owned.ending() ?? 'it does not answer'} ${said.trim()}` };
}

/** Whether an sshd listens on the port: a server of SSH sends its version first. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.setTimeout(1000, () => socket.destroy());
    socket.once('data', (bytes) => {
      resolve(bytes.toString().startsWith('SSH-'));
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}

/** A free port, since sshd cannot choose one by itself. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/**
 * Kills the ssh clients that are connected to the sshd, so that neither side can close the connection properly.
 *
 * @returns the number of clients.
 */
export function cutSsh({ marker }: Sshd): number {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' });
  const pids = stdout
    .split('\n')
    .map((line) => /^\s*(\d+) (.*)$/.exec(line))
    .filter((match) => match?.[2]?.startsWith(`ssh -F ${marker}`))
    .map((match) => Number(match?.[1]));
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  return pids.length;
}
