import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { HostVariables, VariableChanges } from '../../core/index.js';
import { findProgram } from '../child/program.js';
import { findBash } from '../pipes/makePipes.js';
import { homeFolder } from '../stateFolder.js';
import { changesIn, foldersBefore, loginPathIn, nodeVersionIn, watchedIn } from './readAnswers.js';
import type { RunTool } from './toolRunner.js';

const MISE_FILES = ['mise.toml', '.mise.toml', 'mise.local.toml', '.config/mise.toml', '.tool-versions'];

/** The files that parts of an environment are made of. In `.direnv` are the results of what took direnv long. */
export const FILES = ['.envrc', '.direnv', ...MISE_FILES, '.venv/pyvenv.cfg', '.nvmrc'];

/** The share of one of these files in the environment. */
interface Part {
  readonly label: string;
  /** Undefined if it could not be had. */
  readonly changes: VariableChanges | undefined;
  /** The folders that come before the PATH. */
  readonly folders: readonly string[];
  /** More files that it depends on. */
  readonly watched?: readonly string[];
}

interface Means {
  readonly run: RunTool;
  /** The variables of the tools. */
  readonly env: HostVariables & { readonly PATH: string };
  /** The {@link FILES} that exist, nearest first. */
  readonly there: readonly string[];
}

/** The PATH of the user's login shell. Its files may print, leave the shell, ask something or never end. */
export async function loginPath(run: RunTool, shell: string, env: HostVariables): Promise<readonly string[]> {
  const [before, after] = [randomUUID(), randomUUID()];
  // The list ends with a NUL, and no variable contains one.
  const last = `\0${after}`;
  const { output } = await run(
    [shell, '-l', '-i', '-c', `echo ${before}; /usr/bin/env -0; echo ${after}`],
    // VS Code documents this variable for profiles.
    { cwd: homeFolder(env) ?? '/', env: { ...env, VSCODE_RESOLVING_ENVIRONMENT: '1' }, last },
  );
  return loginPathIn(output, before, last);
}

/** The parts, the strongest first. A file counts only if its tool is installed. */
export async function partsOf(means: Means): Promise<readonly Part[]> {
  const [direnv, mise, node] = await Promise.all([
    exported(means, ['.envrc'], 'direnv', ['export', 'json']),
    exported(means, MISE_FILES, 'mise', ['env', '--json']),
    nodePart(means),
  ]);
  const hasPython = [direnv, mise].some((part) => part?.changes?.['VIRTUAL_ENV'] !== undefined);
  return [direnv, mise, hasPython ? undefined : pythonPart(means), node].filter((part) => part !== undefined);
}

function nearest({ there }: Means, names: readonly string[]): string | undefined {
  return there.find((file) => names.some((name) => file.endsWith(`/${name}`)));
}

/** The export of a tool. Only the exit code tells whether it holds: direnv prints changes of a refused file too. */
async function exported(
  means: Means,
  names: readonly string[],
  tool: string,
  args: readonly string[],
): Promise<Part | undefined> {
  const { run, env } = means;
  const file = nearest(means, names);
  const program = file && (await findProgram({ program: tool, cwd: '/', env }));
  if (file === undefined || program === undefined) {
    return undefined;
  }
  const { output, code } = await run([program, ...args], { cwd: path.dirname(file), env });
  const all = code === 0 ? changesIn(output) : undefined;
  const { PATH, ...changes } = all ?? {};
  return {
    label: path.basename(file),
    changes: all && changes,
    folders: typeof PATH === 'string' ? foldersBefore(PATH, env.PATH) : [],
    watched: watchedIn(output),
  };
}

function pythonPart(means: Means): Part | undefined {
  const file = nearest(means, ['.venv/pyvenv.cfg']);
  const folder = file && path.dirname(file);
  return folder === undefined
    ? undefined
    : {
        label: '.venv',
        changes: { VIRTUAL_ENV: folder, PYTHONHOME: null },
        folders: [path.join(folder, 'bin')],
      };
}

export function nvmFolder(env: HostVariables): string {
  return env['NVM_DIR'] ?? path.join(homeFolder(env) ?? '/', '.nvm');
}

async function nodePart(means: Means): Promise<Part | undefined> {
  const { run, env } = means;
  const file = nearest(means, ['.nvmrc']);
  const version = file && nodeVersionIn(await readFile(file, 'utf8').catch(() => ''));
  const script = path.join(nvmFolder(env), 'nvm.sh');
  const bash = findBash();
  if (file === undefined || version === undefined || bash === undefined || !existsSync(script)) {
    return undefined;
  }
  const { output, code } = await run(
    [bash, '--norc', '-p', '-c', '. "$1" --no-use && nvm which "$2"', 'nvm', script, version],
    { cwd: path.dirname(file), env: { ...env, NVM_DIR: nvmFolder(env) } },
  );
  const program = output.trimEnd().split('\n').at(-1) ?? '';
  const found = code === 0 && path.isAbsolute(program);
  return {
    label: `node ${version.replace(/^v(?=\d)/, '')} (.nvmrc)`,
    changes: found ? {} : undefined,
    folders: found ? [path.dirname(program)] : [],
  };
}
