import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { type HostVariables, systemProgram } from '../../core/index.js';

interface Shell {
  readonly name: string;
  readonly path: string;
}

/** The shells that clients can pass a command to, by the name of their program. */
const KNOWN: Readonly<Record<string, string>> = {
  bash: 'bash',
  zsh: 'zsh',
  sh: 'sh',
  pwsh: 'powershell',
  powershell: 'powershell',
  cmd: 'cmd',
};

/** The user's login shell, or the nearest one that clients can use. */
export function findUserShell(env: HostVariables): Shell {
  const wanted = process.platform === 'win32' ? windowsShells(env) : posixShells(env);
  return (
    wanted.map(asShell).find((shell) => shell !== undefined && existsSync(shell.path)) ?? {
      name: 'sh',
      path: '/bin/sh',
    }
  );
}

function posixShells(env: HostVariables): string[] {
  const names = process.platform === 'darwin' ? ['zsh', 'bash', 'sh'] : ['bash', 'zsh', 'sh'];
  const usual = names.flatMap((name) => [`/bin/${name}`, `/usr/bin/${name}`, `/usr/local/bin/${name}`]);
  return [loginShell(), env['SHELL'] ?? '', ...usual];
}

function windowsShells(env: HostVariables): string[] {
  const powershell = systemProgram('WindowsPowerShell\\v1.0\\powershell.exe', env);
  return [powershell, env['ComSpec'] ?? systemProgram('cmd.exe', env)];
}

/** Empty for a user without an entry in the system, as in many containers. */
export function loginShell(): string {
  try {
    return os.userInfo().shell ?? '';
  } catch {
    return '';
  }
}

function asShell(file: string): Shell | undefined {
  const name = KNOWN[path.basename(file, '.exe').toLowerCase()];
  return name === undefined || !path.isAbsolute(file) ? undefined : { name, path: file };
}
