import * as vscode from 'vscode';

import { bytesOfMiB } from '../logLimits.js';
import type { SettingsReader } from '../settingsReader.js';
import type { SessionServer, SessionServerOptions } from './sessionServer.js';
import type { Disposable } from '../../core/index.js';
import { SETTINGS_SECTION } from '../../sessions/options/index.js';

/** The settings that the session server is told. Each is read on request. */
export function serverSettings(
  settings: SettingsReader,
): Pick<SessionServerOptions, 'keepHours' | 'receipts' | 'listLimits' | 'diskLimits'> {
  return {
    keepHours: () => settings.get('keepWithoutClientHours'),
    receipts: () => settings.get('receipts') === 'on',
    listLimits: () => ({
      endedSessions: settings.get('endedSessions'),
      outputBytes: bytesOfMiB(settings.get('totalRetainedMiB')),
    }),
    diskLimits: () => ({
      keep: settings.get('keepOutputOnDisk') === 'on',
      bytes: bytesOfMiB(settings.get('diskMiB')),
      allBytes: bytesOfMiB(settings.get('totalDiskMiB')),
    }),
  };
}

/**
 * Looks for servers whenever a person turns to the window, because not every system reports new sockets. Tells the
 * server about changed settings, and about all of them once the workspace is trusted.
 */
export function followWindow(server: Pick<SessionServer, 'look' | 'tellLimits'>): Disposable {
  return vscode.Disposable.from(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) {
        void server.look();
      }
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(SETTINGS_SECTION)) {
        void server.tellLimits();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void server.tellLimits()),
  );
}
