import { homedir } from 'node:os';
import path from 'node:path';

import * as vscode from 'vscode';

/** The workspace's folders that programs can run in: those of a virtual file system are nowhere on this machine. */
export function foldersOnDisk(): readonly vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
}

/** Where a session runs: `directory`, which may be relative to the first folder or to the home directory. */
export function workingDirectory(directory: string | undefined): string {
  const base = foldersOnDisk()[0]?.uri.fsPath ?? homedir();
  return directory === undefined ? base : path.resolve(base, directory);
}
