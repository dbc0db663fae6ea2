import { spawn, type SpawnOptions } from 'node:child_process';
import path from 'node:path';
import { endWithParent, onEnd, runOwned } from './lifetime.js';
import { root, vsixFile } from './paths.js';

/** Runs a program of the repository to its end and passes its output on; resolves with its exit code. */
export function runCommand(
  file: string,
  args: readonly string[],
  { env = process.env, shell = false }: Pick<SpawnOptions, 'env' | 'shell'> = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...env, [endWithParent]: '1' },
      shell,
    });
    const exited = new Promise<void>((done) => {
      child.once('close', () => done());
    });
    const forget = onEnd(async () => {
      // If the child has ended this does nothing. Otherwise it gets all the time that it needs: it may have a VS Code
      // to end.
      child.kill('SIGTERM');
      await exited;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      resolve(code ?? 1);
      void forget();
    });
  });
}

export function runScript(script: string, env: NodeJS.ProcessEnv = process.env): Promise<number> {
  return runCommand('npm', ['run', '--silent', script], { env, shell: process.platform === 'win32' });
}

export async function build(...flags: readonly string[]): Promise<void> {
  const code = await runCommand(process.execPath, [path.join(root, 'esbuild.mjs'), ...flags]);
  if (code !== 0) throw new Error('The build failed.');
}

/** Builds the VSIX and returns its file. The output of vsce is shown only if it fails. */
export async function packageExtension(): Promise<string> {
  await runOwned('npm', ['run', '--silent', 'package'], { cwd: root, shell: process.platform === 'win32' });
  return vsixFile;
}
