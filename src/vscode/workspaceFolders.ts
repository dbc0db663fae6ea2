import { homedir } from 'node:os';
import path from 'node:path';

import * as vscode from 'vscode';

/**
 * The workspace's folders that programs can run in. Folders of a virtual file system are on no disk of this machine.
 */
export function foldersOnDisk(): readonly vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
}

/**
 * The directory that a session runs in: `directory`, resolved against the first folder on disk, or against the home
 * directory if there is none. Without `directory` it is that folder itself.
 */
export function workingDirectory(directory: string | undefined): string {
  const base = foldersOnDisk()[0]?.uri.fsPath ?? homedir();
  return directory === undefined ? base : path.resolve(base, directory);
}
