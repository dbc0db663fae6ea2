import path from 'node:path';

import * as vscode from 'vscode';

import type { Messages } from '../messages.js';
import { english, type HostInfo } from '../../core/index.js';
import { serverRisks, serverRiskText } from '../../sessions/words/index.js';
import { CommandId } from '../commands/commandIds.js';

/**
 * Says once for each folder that its sessions are left out, because other users can open the folder of their socket.
 */
export class ExposedFolders {
  readonly #messages: Messages;
  readonly #told = new Set<string>();

  constructor(messages: Messages) {
    this.#messages = messages;
  }

  /**
   * @param folders The exposed folders that were found.
   * @param sockets The sockets of the servers that this window is connected with, whose sessions it shows.
   */
  tell(folders: readonly string[], sockets: readonly string[]): void {
    const connected = new Set(sockets.map((socket) => path.dirname(socket)));
    for (const folder of folders) {
      if (!this.#told.has(folder) && !connected.has(folder)) {
        this.#told.add(folder);
        this.#messages.warn(
          vscode.l10n.t(
            'The sessions in {0} are hidden, because other users can get into that folder. They keep running. To show them, run: chmod 700 {0}',
            folder,
          ),
        );
      }
    }
  }
}

const KEY = 'execSessions.knowsThatUpdatesEndSessions';

interface ServerRiskOptions {
  readonly messages: Messages;
  readonly log: Pick<vscode.LogOutputChannel, 'warn'>;
  /** Remembers for all workspaces that it was told. */
  readonly memento: vscode.Memento;
}

/**
 * Logs the risks of this window's session server. Shows one message only if the next update is certain to end its
 * sessions.
 */
export function tellOfServerRisks(host: HostInfo, { messages, log, memento }: ServerRiskOptions): void {
  for (const risk of serverRisks(host)) {
    const isNews = risk.kind === 'editorsNode' && risk.certain && memento.get<unknown>(KEY) !== true;
    if (isNews) {
      void memento.update(KEY, true);
      messages.warn(serverRiskText(risk, vscode.l10n), [
        {
          title: vscode.l10n.t('Show Diagnostics'),
          run: () => vscode.commands.executeCommand(CommandId.showDiagnostics),
        },
      ]);
    } else {
      log.warn(serverRiskText(risk, english));
    }
  }
}
