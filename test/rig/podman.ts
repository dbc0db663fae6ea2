import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { processesNaming } from '../support/processes.js';
import { until } from '../support/until.js';
import { onEnd, runOwned, temporaryFolder } from './lifetime.js';
import { messageOf } from './paths.js';
import { ensurePodmanPrograms, findOnPath } from './programs.js';
import { ensureFolder } from './tools.js';

/** Containers of podman, with a storage of their own. They have no network, and their files are gone with them. */
export interface Podman {
  /** The variables of a program whose `podman` knows the containers. */
  readonly env: NodeJS.ProcessEnv;
  /** Runs podman, and resolves with its output. */
  run(...args: readonly string[]): Promise<string>;
  /** Starts a container that does nothing. */
  start(name: string, root: Root): Promise<void>;
  stop(): Promise<void>;
}

/** `debian` has the tools of any Debian, and `busybox` has no C library. Neither has Node. */
type Root = 'busybox' | 'debian';

const SUITE = 'bookworm';

/** A machine may allow no higher limits than these. */
const RUN_OPTIONS = ['--ulimit=nofile=1024:1024', '--ulimit=nproc=4096:4096', '--network=none'];

/**
 * Makes the files of the containers, unless they are there.
 *
 * @throws Error with one line, which says why there can be no containers here.
 */
export async function ensurePodman(): Promise<void> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !fs.existsSync('/etc/debian_version')) {
    throw new Error('The tests of podman are run on Debian, as root');
  }
  ensurePodmanPrograms();
  const podman = await startPodman();
  try {
    await podman.start('probe', 'busybox');
  } catch (error) {
    throw new Error(`podman starts no container here: ${messageOf(error).replaceAll('\n', ' ')}`, {
      cause: error,
    });
  } finally {
    await podman.stop();
  }
}

export async function startPodman(): Promise<Podman> {
  const roots = await ensureRoots();
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-podman-')));
  const remove = temporaryFolder(folder);
  const options = [
    ...[`--root=${folder}/root`, `--runroot=${folder}/run`, `--tmpdir=${folder}/tmp`],
    ...[
      '--cgroup-manager=cgroupfs',
      '--events-backend=file',
      `--runtime=${findOnPath(['runc'], ['/usr/sbin'])}`,
    ],
  ];
  const program = path.join(folder, 'bin', 'podman');
  fs.mkdirSync(path.dirname(program));
  fs.writeFileSync(program, `#!/bin/sh\nexec ${findOnPath(['podman'])} ${options.join(' ')} "$@"\n`, {
    mode: 0o755,
  });
  const env = { ...process.env, PATH: `${path.dirname(program)}:${process.env['PATH']}` };
  const run: Podman['run'] = (...args) => runOwned(program, args, { env, cwd: folder });
  const stop = onEnd(async () => {
    await run('rm', '--all', '--force', '--time=0');
    // The monitor of a container starts a podman at its end, which mounts a folder here and leaves it mounted.
    await until(() => processesNaming(folder).length, 0);
    for (const mounted of mountsIn(folder)) {
      await runOwned('umount', [mounted], {});
    }
    await remove();
  });
  return {
    ...{ env, run, stop },
    start: async (name, root) => {
      const files = `${path.join(roots, root)}:O`;
      await run('run', '--detach', `--name=${name}`, ...RUN_OPTIONS, '--rootfs', files, 'sleep', '1000000');
    },
  };
}

/** The folders below another one that something is mounted on, the last one first. */
function mountsIn(folder: string): readonly string[] {
  const places = fs
    .readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '');
  return places.filter((place) => place.startsWith(`${folder}/`)).reverse();
}

/** @returns a folder with the files of each root. */
function ensureRoots(): Promise<string> {
  return ensureFolder(`podman-${SUITE}`, JSON.stringify({ suite: SUITE }), async (staging) => {
    const busybox = path.join(staging, 'busybox');
    for (const name of ['bin', 'etc', 'root', 'tmp']) {
      fs.mkdirSync(path.join(busybox, name), { recursive: true });
    }
    const package_ = path.join(staging, 'package');
    fs.mkdirSync(package_);
    await runOwned('mmdebstrap', ['--variant=minbase', SUITE, path.join(staging, 'debian')], {});
    // It is only unpacked: it would take the place of the busybox of this machine.
    await runOwned('apt-get', ['-q', 'update'], {});
    await runOwned('apt-get', ['-q', 'download', 'busybox-static'], { cwd: package_ });
    for (const file of fs.readdirSync(package_)) {
      await runOwned('dpkg-deb', ['--extract', path.join(package_, file), package_], {});
    }
    const program = path.join(busybox, 'bin', 'busybox');
    fs.copyFileSync(path.join(package_, 'bin', 'busybox'), program);
    fs.rmSync(package_, { recursive: true });
    for (const name of (await runOwned(program, ['--list'], {})).trim().split('\n')) {
      if (name !== 'busybox') fs.symlinkSync('busybox', path.join(busybox, 'bin', name));
    }
    fs.writeFileSync(path.join(busybox, 'etc', 'passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
    fs.writeFileSync(path.join(busybox, 'etc', 'group'), 'root:x:0:\n');
  });
}
