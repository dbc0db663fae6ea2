import * as vscode from 'vscode';

import { english, type HostInfo } from '../../core/index.js';
import { serverRisks, serverRiskText } from '../../sessions/words/index.js';
import { CommandId } from '../commands/commandIds.js';
import type { Messages } from '../messages.js';

const KEY = 'execSessions.knowsThatUpdatesEndSessions';

export interface ServerRiskOptions {
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
