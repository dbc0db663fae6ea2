import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { messageOf, say } from './paths.js';

/** The programs beside Node that the tests run, and a browser; on Debian they are installed when they are missing. */

interface Program {
  readonly names: readonly string[];
  readonly packages: readonly string[];
}

const browser: Program = {
  names: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'],
  packages: ['chromium', 'fonts-dejavu-core'],
};

/** The tests run these as users do: an editor and a pager on a terminal, commands over ssh, a server with a certificate. */
const testPrograms: readonly Program[] = [
  ...[
    'bash',
    'busybox',
    'curl',
    'direnv',
    'fish',
    'git',
    'gpg',
    'htop',
    'ksh',
    'less',
    'mksh',
    'openssl',
    'perl',
    'python3',
    'tcsh',
    'tmux',
    'vim',
    'whiptail',
    'zsh',
  ].map((name) => ({
    names: [name],
    packages: [name],
  })),
  { names: ['bwrap'], packages: ['bubblewrap'] },
  { names: ['pip3'], packages: ['python3-click', 'python3-pip'] },
  { names: ['ps'], packages: ['procps'] },
  { names: ['ssh'], packages: ['openssh-client'] },
  { names: ['sshd'], packages: ['openssh-server'] },
];

/** A Windows for the tests in test/windows, and a compiler for its two small programs. */
const winePrograms: readonly Program[] = [
  { names: ['wine'], packages: ['wine64', 'wine'] },
  { names: ['x86_64-w64-mingw32-gcc'], packages: ['gcc-mingw-w64-x86-64-win32'] },
];

/** Runs the programs of the tests in test/arm64. */
const emulator: Program = { names: ['qemu-aarch64-static'], packages: ['qemu-user-static'] };

/** A cluster for the tests in test/engines, which runs no service of the system. */
const slurmPrograms: readonly Program[] = [
  { names: ['srun'], packages: ['slurm-client'] },
  { names: ['slurmctld'], packages: ['slurmctld'] },
  { names: ['slurmd'], packages: ['slurmd'] },
  { names: ['munged'], packages: ['munge'] },
];

/** Containers for a test in test/engines, and a maker of a Debian for them. */
const podmanPrograms: readonly Program[] = ['podman', 'runc', 'mmdebstrap'].map((name) => ({
  names: [name],
  packages: [name],
}));

/** sshd and the like are in folders that only root has on its PATH. */
const SYSTEM_FOLDERS = ['/usr/sbin', '/sbin'];

/**
 * Installs the missing programs of the tests, if that is possible here.
 *
 * @returns one line that names those which are still missing and says how to install them; undefined if there are none.
 */
export function ensureTestPrograms(): string | undefined {
  // There they have other names, and the tests that run them are not defined.
  return process.platform === 'win32' ? undefined : ensurePrograms(testPrograms);
}

/**
 * Installs Wine and a compiler for Windows, if that is possible here.
 *
 * @throws Error with one line that names what is missing and says how to install it.
 */
export function ensureWinePrograms(): void {
  const missing = ensurePrograms(winePrograms);
  if (missing !== undefined) throw new Error(missing);
}

/**
 * Installs an emulator for arm64, if that is possible here.
 *
 * @throws Error with one line that says how to install it.
 */
export function ensureEmulator(): void {
  const missing = ensurePrograms([emulator]);
  if (missing !== undefined) throw new Error(missing);
}

/**
 * Installs Slurm, if that is possible here.
 *
 * @throws Error with one line that names what is missing and says how to install it.
 */
export function ensureSlurmPrograms(): void {
  const missing = ensurePrograms(slurmPrograms);
  if (missing !== undefined) throw new Error(missing);
}

/**
 * Installs podman, if that is possible here.
 *
 * @throws Error with one line that names what is missing and says how to install it.
 */
export function ensurePodmanPrograms(): void {
  const missing = ensurePrograms(podmanPrograms);
  if (missing !== undefined) throw new Error(missing);
}

function ensurePrograms(programs: readonly Program[]): string | undefined {
  const missing = () => programs.filter(({ names }) => findOnPath(names, SYSTEM_FOLDERS) === undefined);
  const packages = missing().flatMap((program) => program.packages);
  if (packages.length === 0) return undefined;
  const problem = installPackages(packages);
  const names = missing().flatMap((program) => program.names);
  return names.length === 0
    ? undefined
    : `Tests that run ${names.join(', ')} will fail, for these programs are missing. ${problem ?? ''}`.trimEnd();
}

/**
 * The path of a Chromium: the one that CHROMIUM names, one on the PATH, or the distribution's own, which is installed
 * on Debian as root.
 */
export function ensureChromium(): string {
  const named = process.env['CHROMIUM'];
  if (named) {
    if (fs.existsSync(named)) return named;
    throw new Error(`CHROMIUM names ${named}, which does not exist.`);
  }
  const problem = findOnPath(browser.names) === undefined ? installPackages(browser.packages) : undefined;
  const found = findOnPath(browser.names);
  if (found) return found;
  throw new Error(
    `No Chromium found. ${problem ?? ''} Google Chrome will do as well, or name the program in the environment variable CHROMIUM.`,
  );
}

/** @returns what the user can do about it, if they cannot be installed from here. */
function installPackages(packages: readonly string[]): string | undefined {
  if (!fs.existsSync('/etc/debian_version')) return 'Install them with the package manager of this system.';
  const command = `apt-get install ${packages.join(' ')}`;
  if (process.getuid?.() !== 0) return `Run: sudo ${command}`;
  say(`Installing ${packages.join(', ')} with apt-get`);
  try {
    aptGet(['update']);
    aptGet(['install', '-y', '--no-install-recommends', ...packages]);
    return undefined;
  } catch (error) {
    return `${messageOf(error)} Run: ${command}`;
  }
}

function aptGet(args: readonly string[]): void {
  const { status, error } = spawnSync('apt-get', ['-q', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) {
    throw new Error(
      `apt-get ${args.join(' ')} failed: ${error?.message ?? `exit ${status ?? 'by signal'}`}.`,
    );
  }
}

/** The first of `names` that is a file in a folder of the PATH, or in one of `more`. */
export function findOnPath(names: readonly string[], more: readonly string[] = []): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  for (const name of names) {
    for (const folder of [...folders, ...more]) {
      const file = path.join(folder, name);
      if (isFile(file)) return file;
    }
  }
  return undefined;
}

/** A file that this user may not look at counts as missing. */
function isFile(file: string): boolean {
  try {
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
