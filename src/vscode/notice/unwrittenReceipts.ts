import * as vscode from 'vscode';

import type { Disposable } from '../../core/index.js';
import type { Session, SessionList } from '../../sessions/list/index.js';
import type { Messages } from '../messages.js';
import { openSettingAction } from '../openSetting.js';

/**
 * Tells people that receipts cannot be saved, once for each reason, since it is the same for all sessions. Other
 * windows have already told about sessions that are found in this state.
 *
 * @param isOwn Whether it is one of this window's sessions: other windows tell of theirs.
 */
export function tellOfUnwrittenReceipts(
  list: SessionList,
  messages: Messages,
  isOwn: (session: Session) => boolean,
): Disposable {
  const told = new Set<string>();
  return list.onDidChange(({ type, session }) => {
    const reason = session.record.receiptUnwritten;
    const isFound = type === 'added';
    if (reason === undefined || told.has(reason) || !(isFound || isOwn(session))) {
      return;
    }
    told.add(reason);
    if (isFound) {
      return;
    }
    messages.warn(
      vscode.l10n.t(
        'Receipts of sessions cannot be saved: {0}. The sessions run as before, but Ended Earlier will not show them once the session server or this window has ended. Missing receipts are saved as soon as possible.',
        reason,
      ),
      [openSettingAction('receipts')],
    );
  });
}
