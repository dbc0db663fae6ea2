import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

import * as vscode from 'vscode';

import { interactiveShell, type LaunchRequest, shellName, type VariableChanges } from '../../core/index.js';
import { putPrivateFile } from '../privateFile.js';
import { LOCAL_ID, type Session } from '../../sessions/list/index.js';
import type { PlayerMarks } from '../../sessions/viewer/index.js';
import { commandBegins, commandEnds, commandHadEnded } from '../../terminal/index.js';

/** An interactive shell, ready to be started. */
interface InteractiveShell {
  readonly argv: readonly string[];
  readonly env: VariableChanges;
  /** The shell's name as people know it, without its folder. */
  readonly name: string;
}

/** The variable by which VS Code's scripts prove that their marks are theirs; they remove it from the shell. */
const NONCE = 'VSCODE_NONCE';

/** The parts that a shell's integration needs besides the shell. */
interface ShellPlace {
  /** A folder that belongs to the extension in this VS Code, and that no update moves. */
  readonly storage: string;
  /** The variables that the user has set for sessions. */
  readonly env: VariableChanges;
}

/**
 * An interactive shell with VS Code's shell integration, as in its own terminals. If that is turned off, or does not
 * exist for this shell, the shell is a plain one.
 */
export function shellForPeople(shell: string, place: ShellPlace): InteractiveShell {
  const plain = interactiveShell(shell, process.platform);
  const name = path.basename(shell).replace(/\.exe$/i, '');
  const enabled = vscode.workspace
    .getConfiguration('terminal.integrated')
    .get<boolean>('shellIntegration.enabled', true);
  const login = plain.includes('-l');
  const integrated = enabled ? INTEGRATIONS[shellName(shell)]?.(login, place) : undefined;
  if (integrated === undefined) {
    return { argv: plain, env: {}, name };
  }
  return {
    argv: [shell, ...integrated.arguments],
    env: {
      VSCODE_INJECTION: '1',
      [NONCE]: randomUUID(),
      ...(login && { VSCODE_SHELL_LOGIN: '1' }),
      ...integrated.env,
    },
    name,
  };
}

/** The nonce of a shell that was started with VS Code's integration; undefined for any other program. */
export function shellNonce({ env }: Pick<LaunchRequest, 'env'>): string | undefined {
  return env[NONCE];
}

const SCRIPT_FOLDER = 'out/vs/workbench/contrib/terminal/common/scripts';

interface Integration {
  readonly arguments: readonly string[];
  readonly env?: VariableChanges;
}

/**
 * The start-up files of zsh, each with VS Code's script for it, which first reads the user's own file. Zsh has no
 * argument for a script.
 */
const ZSH_FILES: Readonly<Record<string, string>> = {
  '.zshenv': 'shellIntegration-env.zsh',
  '.zprofile': 'shellIntegration-profile.zsh',
  '.zshrc': 'shellIntegration-rc.zsh',
  '.zlogin': 'shellIntegration-login.zsh',
};

/** The script is not copied, because it needs the module beside it. */
function powershell(): Integration | undefined {
  const file = path.join(scriptFolder(), 'shellIntegration.ps1');
  return existsSync(file)
    ? { arguments: ['-noexit', '-command', `try { . "${file}" } catch {}`] }
    : undefined;
}

/** How VS Code starts each shell with its script; undefined if this VS Code has no script for it. */
const INTEGRATIONS: Readonly<Record<string, (login: boolean, place: ShellPlace) => Integration | undefined>> =
  {
    bash: (_, { storage }) => withCopy('shellIntegration-bash.sh', storage, (file) => ['--init-file', file]),
    fish: (login, { storage }) =>
      withCopy('shellIntegration.fish', storage, (file) => [
        ...(login ? ['-l'] : []),
        '--init-command',
        `source "${file}"`,
      ]),
    pwsh: powershell,
    // The PowerShell of Windows itself reads the same script.
    powershell,
    zsh: (login, { storage, env }) => {
      const folder = path.join(storage, 'zsh');
      const users = env['ZDOTDIR'] ?? process.env['ZDOTDIR'] ?? homedir();
      return copyScripts(folder, ZSH_FILES)
        ? { arguments: [login ? '-il' : '-i'], env: { ZDOTDIR: folder, USER_ZDOTDIR: users } }
        : undefined;
    },
  };

function scriptFolder(): string {
  return path.join(vscode.env.appRoot, SCRIPT_FOLDER);
}

function withCopy(
  script: string,
  storage: string,
  argumentsFor: (file: string) => readonly string[],
): Integration | undefined {
  const folder = path.join(storage, 'shells');
  return copyScripts(folder, { [script]: script })
    ? { arguments: argumentsFor(path.join(folder, script)) }
    : undefined;
}

/**
 * Copies scripts of VS Code into a folder that no update removes. A session that is run again has the arguments of its
 * first start, and an updated VS Code has another folder.
 *
 * @param folder A folder for this user only, since shells run its content.
 * @param files The names of the copies, and the script for each.
 * @returns whether all copies exist. This VS Code may lack such scripts, and the folder may not be writable.
 */
function copyScripts(folder: string, files: Readonly<Record<string, string>>): boolean {
  const scripts = scriptFolder();
  try {
    for (const [name, script] of Object.entries(files)) {
      putPrivateFile(path.join(folder, name), readFileSync(path.join(scripts, script), 'utf8'));
    }
    return true;
  } catch {
    return false;
  }
}

/**
 * The marks that show a session of one command to VS Code as a command; a shell with VS Code's shell integration makes
 * its own. Directories of other machines are left out: VS Code would look for them here.
 */
export function sessionMarks(session: Session, nonce: string): PlayerMarks | undefined {
  const { request, commandLine, environment } = session;
  if (shellNonce(request) !== undefined) {
    return undefined;
  }
  const command = { commandLine, cwd: environment.id === LOCAL_ID ? request.cwd : undefined, nonce };
  return {
    begin: commandBegins(command),
    end: commandEnds,
    lateEnd: (exitCode) => commandHadEnded(command, exitCode),
  };
}
