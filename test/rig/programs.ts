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
  ...['bash', 'git', 'less', 'openssl', 'perl', 'python3', 'vim'].map((name) => ({
    names: [name],
    packages: [name],
  })),
  { names: ['ps'], packages: ['procps'] },
  { names: ['ssh'], packages: ['openssh-client'] },
  { names: ['sshd'], packages: ['openssh-server'] },
];

/** sshd and the like are in folders that only root has on its PATH. */
const SYSTEM_FOLDERS = ['/usr/sbin', '/sbin'];

/**
 * Installs the missing programs of the tests, if that is possible here.
 *
 * @returns one line that names those which are still missing and says how to install them; undefined if there are none.
 */
export function ensureTestPrograms(): string | undefined {
  // There they have other names, and the tests that run them are not defined.
  if (process.platform === 'win32') return undefined;
  const missing = () => testPrograms.filter(({ names }) => findOnPath(names, SYSTEM_FOLDERS) === undefined);
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

/** A file that this user may not look at is none for them. */
function isFile(file: string): boolean {
  try {
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
