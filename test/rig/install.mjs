// This file runs before anything is installed, so it uses Node alone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Whether node_modules has the packages of package-lock.json. npm lists the installed ones in a lock file of its own.
 */
function isInstalled() {
  const read = (file) => JSON.parse(fs.readFileSync(path.join(root, file), 'utf8')).packages;
  try {
    const installed = read('node_modules/.package-lock.json');
    return Object.entries(read('package-lock.json')).every(([name, wanted]) => {
      if (name === '') return true;
      const have = installed[name];
      // A package for another platform is not installed here.
      return have ? have.version === wanted.version : Boolean(wanted.optional || wanted.devOptional);
    });
  } catch {
    return false;
  }
}

/** @param overview What a first run does, to be said before it installs anything. */
export async function ensureInstalled(overview = '') {
  const [major = 0] = process.versions.node.split('.').map(Number);
  if (major < 20) {
    console.error(`This needs Node 20 or later; ${process.execPath} is ${process.version}.`);
    return false;
  }
  if (isInstalled()) return true;
  if (overview !== '') console.log(overview);
  console.log('Installing the packages of this repository (once, one to two minutes, 160 MB to download)');
  const began = Date.now();
  const npm = spawn('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  // npm warns of packages that packages of ours use. Its output is shown only if it fails.
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  }
  const pass = (signal) => npm.kill(signal);
  const signals = ['SIGINT', 'SIGTERM'];
  for (const signal of signals) process.on(signal, pass);
  try {
    const [code, signal] = await once(npm, 'close');
    if (code === 0) console.log(`Installed (${Math.round((Date.now() - began) / 1_000)} s)`);
    else console.error(`${output}\nnpm ci failed (${signal ?? `exit ${code}`}).`);
    return code === 0;
  } catch (error) {
    console.error(`npm cannot be started: ${error.message}`);
    return false;
  } finally {
    for (const signal of signals) process.off(signal, pass);
  }
}

/** Loads a TypeScript file of the repository into this process. */
export async function loadTypeScript(file) {
  // For Node the repository's TypeScript is CommonJS, as package.json has no "type": "module".
  const { register } = await import('tsx/cjs/api');
  register();
  return createRequire(import.meta.url)(path.join(root, file));
}
