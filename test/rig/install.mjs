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

export async function ensureInstalled() {
  const [major = 0] = process.versions.node.split('.').map(Number);
  if (major < 20) {
    console.error(`This needs Node 20 or later; ${process.execPath} is ${process.version}.`);
    return false;
  }
  if (isInstalled()) return true;
  console.log('Installing with npm ci');
  const npm = spawn('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  const pass = (signal) => npm.kill(signal);
  const signals = ['SIGINT', 'SIGTERM'];
  for (const signal of signals) process.on(signal, pass);
  try {
    const [code, signal] = await once(npm, 'close');
    if (code !== 0) console.error(`npm ci failed (${signal ?? `exit ${code}`}).`);
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
