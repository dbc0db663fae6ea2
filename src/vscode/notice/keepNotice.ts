import * as vscode from 'vscode';

import type { Session } from '../../sessions/list/index.js';
import { longDuration, nameInMessage } from '../../sessions/words/index.js';
import { type Messages, openSettingAction } from '../messages.js';

const KEY = 'execSessions.knowsThatSessionsEnd';

/**
 * Tells people once, after the first time, that sessions do not go on for good without a window. After that only the
 * rows say so.
 *
 * @param memento Remembers for all workspaces that it was told.
 * @param found The sessions that this window has found.
 */
export function tellOfEndsWithoutWindow(
  memento: vscode.Memento,
  messages: Messages,
  found: readonly Session[],
): void {
  // Its end may not be known here yet.
  const ended = found.filter(({ record }) => record.endedBy?.kind === 'keepWithoutClient');
  const last = ended.at(-1);
  if (last === undefined || memento.get<unknown>(KEY) === true) {
    return;
  }
  void memento.update(KEY, true);
  const seconds = last.record.endedBy?.afterSeconds;
  const name = nameInMessage(last.label);
  const first =
    seconds === undefined
      ? vscode.l10n.t('"{0}" was ended because no window was open any more.', name)
      : vscode.l10n.t(
          '"{0}" was ended {1} after the last window had closed.',
          name,
          longDuration(seconds * 1_000, vscode.l10n),
        );
  const rule = vscode.l10n.t(
    'A setting says how long sessions go on without a window. Sessions of agents go on for ten minutes, unless Keep Running was chosen.',
  );
  messages.tell(`${first} ${rule}`, [openSettingAction('keepWithoutClientHours')]);
}
