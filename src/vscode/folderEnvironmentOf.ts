import * as vscode from 'vscode';

import type { FolderEnvironment } from '../core/index.js';
import { settingDefinitions, SETTINGS_SECTION } from '../sessions/options/index.js';
import type { OwnBackend } from './machine/ownBackend.js';

/** Undefined where it is turned off, and on Windows. */
export type FolderEnvironmentOf = (
  cwd: string,
  shell: string,
) => Promise<{ readonly folder: FolderEnvironment; readonly shell: string } | undefined>;

/**
 * The environment of a folder on this machine, and the shell by its whole path, which is found without that.
 *
 * @param programs The folder with the command line.
 */
export function folderEnvironmentOf(ownBackend: OwnBackend, programs: string): FolderEnvironmentOf {
  const load = async () => {
    const { FolderEnvironments } = await import('../local/index.js');
    const backend = await ownBackend.load();
    const start = backend.startHelper.bind(backend);
    return new FolderEnvironments({ start, hostEnv: process.env, programs });
  };
  let loading: ReturnType<typeof load> | undefined;
  return async (cwd, shell) => {
    const uri = vscode.Uri.file(cwd);
    if (process.platform === 'win32' || !isOn(uri)) {
      return undefined;
    }
    const environments = await (loading ??= load());
    const folder = await environments.of(cwd, vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath);
    return { folder, shell: shell.includes('/') ? shell : await environments.program(shell) };
  };
}

/** Off in one scope is off: a workspace cannot turn it on for a user who has turned it off. */
function isOn(folder: vscode.Uri): boolean {
  const { key } = settingDefinitions.folderEnvironment;
  const said = vscode.workspace.getConfiguration(SETTINGS_SECTION, folder).inspect<unknown>(key);
  return ![said?.globalValue, said?.workspaceValue, said?.workspaceFolderValue].includes(false);
}
