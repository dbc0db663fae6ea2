import { spawn, type SpawnOptions } from 'node:child_process';
import path from 'node:path';
import { endWithParent, onEnd, runOwned } from './lifetime.js';
import { root, vsixFile } from './paths.js';

export interface CommandOptions extends Pick<SpawnOptions, 'env' | 'shell'> {
  /** The file descriptor that its output goes to; by default our own output. */
  readonly output?: number;
  /** Ends everything that it has started together with it: a shell passes no signal on to the command that it runs. */
  readonly withDescendants?: boolean;
}

/** Runs a program of the repository to its end; resolves with its exit code. */
export function runCommand(
  file: string,
  args: readonly string[],
  { env = process.env, shell = false, output, withDescendants = false }: CommandOptions = {},
): Promise<number> {
  const hasGroup = withDescendants && process.platform !== 'win32';
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: root,
      stdio: ['ignore', output ?? 'inherit', output ?? 'inherit'],
      env: { ...env, [endWithParent]: '1' },
      shell,
      // It leads a process group then.
      detached: hasGroup,
    });
    let ended = false;
    const exited = new Promise<void>((done) => {
      child.once('close', () => {
        ended = true;
        done();
      });
    });
    const forget = onEnd(async () => {
      // It gets all the time that it needs: it may have a VS Code to end.
      if (ended) return;
      if (hasGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      else child.kill('SIGTERM');
      await exited;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      resolve(code ?? 1);
      void forget();
    });
  });
}

/** The arguments of Node that run Mocha. Mocha's usual entry starts this one as a child, and may leave it running. */
export const mochaProgram: readonly string[] = [
  '--import',
  'tsx',
  'node_modules/mocha/bin/_mocha',
  '--config',
  'test/.mocharc.json',
];

/** Runs a script of package.json to its end; resolves with its exit code. */
export function runScript(script: string, options: CommandOptions = {}): Promise<number> {
  return runCommand('npm', ['run', '--silent', script], {
    ...options,
    withDescendants: true,
    shell: process.platform === 'win32',
  });
}

export async function build(...flags: readonly string[]): Promise<void> {
  await runBuild(flags);
}

/** Builds the suite for the extension host. */
export async function buildSuite(options: CommandOptions = {}): Promise<void> {
  await runBuild(['--tests'], options);
}

async function runBuild(flags: readonly string[], options: CommandOptions = {}): Promise<void> {
  const code = await runCommand(process.execPath, [path.join(root, 'esbuild.mjs'), ...flags], options);
  if (code !== 0) throw new Error('The build failed.');
}

/** The variable that names the VSIX, if it has been built already: another process may be using what is built now. */
export const builtPackage = 'EXEC_SESSIONS_VSIX';

/** The VSIX: the one that is built already, or else a new one. The output of vsce is shown only if it fails. */
export async function packageExtension(): Promise<string> {
  const built = process.env[builtPackage];
  if (built !== undefined) return built;
  await runOwned('npm', ['run', '--silent', 'package'], { cwd: root, shell: process.platform === 'win32' });
  return vsixFile;
}
