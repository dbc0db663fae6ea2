import * as vscode from 'vscode';

import { isRecord } from '../../core/index.js';
import { settingId } from '../../sessions/options/index.js';

/**
 * Writes the list into the settings file that has it. A list in another file would hide it, or be hidden by it.
 */
export async function writeEnvironments(entries: readonly unknown[]): Promise<void> {
  const id = settingId('environments');
  const configuration = vscode.workspace.getConfiguration();
  const target =
    configuration.inspect(id)?.workspaceValue === undefined
      ? vscode.ConfigurationTarget.Global
      : vscode.ConfigurationTarget.Workspace;
  await configuration.update(id, entries, target);
}

/** The list without the entry of this id. */
export function withoutEnvironment(entries: readonly unknown[], id: string): readonly unknown[] {
  return entries.filter((entry) => !isRecord(entry) || entry['id'] !== id);
}
