import * as vscode from 'vscode';

import { settingId, type SettingName } from '../sessions/options/index.js';
import type { MessageAction } from './messages.js';

/** A button below a message that opens a setting. */
export function openSettingAction(name: SettingName): MessageAction {
  return { title: vscode.l10n.t('Open Settings'), run: () => openSetting(name) };
}

/** Opens a setting in the editor of settings, on the tab of the machine that it is read on. */
async function openSetting(name: SettingName): Promise<void> {
  const query = `@id:${settingId(name)}`;
  // In a remote window the user's tab does not list settings that belong to a machine.
  await (vscode.env.remoteName === undefined
    ? vscode.commands.executeCommand('workbench.action.openSettings', { query })
    : vscode.commands.executeCommand('workbench.action.openRemoteSettings', { query }));
}
