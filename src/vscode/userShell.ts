import * as vscode from 'vscode';

import type { ShellChoice } from '../core/index.js';
import type { SettingsReader } from './settingsReader.js';

/** The shell that the settings name; otherwise the one of VS Code's own terminals. */
export function userShell(settings: SettingsReader): ShellChoice {
  const windows = process.platform === 'win32';
  const usual = windows ? (process.env['ComSpec'] ?? 'cmd.exe') : (process.env['SHELL'] ?? '/bin/sh');
  return {
    shell: [settings.get('shellPath').trim(), vscode.env.shell, usual].find((shell) => shell !== '') ?? usual,
    arguments: settings.get('shellArguments'),
    platform: windows ? 'windows' : process.platform === 'darwin' ? 'macos' : 'posix',
  };
}
