import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';

import * as vscode from 'vscode';

import { interactiveShell, type LaunchRequest, type VariableChanges } from '../../core/index.js';

/** An interactive shell, ready to be started. */
export interface InteractiveShell {
  readonly argv: readonly string[];
  readonly env: VariableChanges;
  /** The shell's name as people know it, without its folder. */
  readonly name: string;
}

/** The variable by which VS Code's scripts prove that their marks are theirs; they remove it from the shell. */
const NONCE = 'VSCODE_NONCE';

/**
 * An interactive shell with VS Code's shell integration, as in its own terminals. Where that is turned off, or is not
 * made for this shell, the shell is a plain one.
 */
export function shellForPeople(shell: string): InteractiveShell {
  const plain = interactiveShell(shell, process.platform);
  const name = path.basename(shell).replace(/\.exe$/i, '');
  const enabled = vscode.workspace
    .getConfiguration('terminal.integrated')
    .get<boolean>('shellIntegration.enabled', true);
  const script = SCRIPTS[name];
  const file = script && path.join(vscode.env.appRoot, SCRIPT_FOLDER, script.file);
  if (!enabled || script === undefined || file === undefined || !existsSync(file)) {
    return { argv: plain, env: {}, name };
  }
  const login = plain.includes('-l');
  return {
    argv: [shell, ...script.arguments(file, login)],
    env: {
      VSCODE_INJECTION: '1',
      [NONCE]: randomUUID(),
      ...(login && { VSCODE_SHELL_LOGIN: '1' }),
    },
    name,
  };
}

/** The nonce of a shell that was started with VS Code's integration; undefined for any other program. */
export function shellNonce({ env }: Pick<LaunchRequest, 'env'>): string | undefined {
  return env[NONCE];
}

const SCRIPT_FOLDER = 'out/vs/workbench/contrib/terminal/common/scripts';

interface Script {
  readonly file: string;
  arguments(file: string, login: boolean): readonly string[];
}

/** The script for each shell, and the arguments that VS Code passes it with. */
const SCRIPTS: Readonly<Record<string, Script>> = {
  bash: { file: 'shellIntegration-bash.sh', arguments: (file) => ['--init-file', file] },
  fish: {
    file: 'shellIntegration.fish',
    arguments: (file, login) => [...(login ? ['-l'] : []), '--init-command', `source "${file}"`],
  },
  pwsh: {
    file: 'shellIntegration.ps1',
    arguments: (file) => ['-noexit', '-command', `try { . "${file}" } catch {}`],
  },
};
