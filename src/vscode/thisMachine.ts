import { homedir } from 'node:os';

import * as vscode from 'vscode';

import { directoryThere, type ShellChoice } from '../core/index.js';
import { WindowFolders } from '../sessions/list/index.js';
import type { SettingsReader } from './settingsReader.js';

/**
 * The workspace's folders that programs can run in. Folders of a virtual file system are not on a disk of this machine.
 */
export function foldersOnDisk(): readonly vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
}

/** Says which sessions belong to this window. */
export function windowFolders(): WindowFolders {
  return new WindowFolders(
    () => foldersOnDisk().map(({ uri }) => uri.fsPath),
    (listener) => vscode.workspace.onDidChangeWorkspaceFolders(listener),
  );
}

/**
 * The directory that a session runs in: `directory`, resolved against `folder`, or that folder itself. The default
 * folder is the first one on disk, or else the home directory.
 */
export function workingDirectory(
  directory: string | undefined,
  folder = foldersOnDisk()[0]?.uri.fsPath,
): string {
  const home = homedir();
  const wanted = [directory, folder];
  return directoryThere(wanted, { platform: process.platform, homeDir: home }) ?? home;
}

/** The shell that the settings name; otherwise the one of VS Code's own terminals. */
export function userShell(settings: SettingsReader): ShellChoice {
  const windows = process.platform === 'win32';
  const usual = windows ? (process.env['ComSpec'] ?? 'cmd.exe') : (process.env['SHELL'] ?? '/bin/sh');
  return {
    shell: [settings.get('shellPath').trim(), vscode.env.shell, usual].find((shell) => shell !== '') ?? usual,
    arguments: settings.get('shellArguments'),
  };
}
