import * as vscode from 'vscode';

import type { Disposable } from '../../core/index.js';
import type { Session, SessionList } from '../../sessions/list/index.js';
import { type Messages, openSettingAction } from '../messages.js';
import { nameInMessage } from '../../sessions/words/index.js';

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
        'Receipts cannot be written: {0}. Sessions run as before, but they will be missing in Ended Earlier. Writing is tried again.',
        reason,
      ),
      [openSettingAction('receipts')],
    );
  });
}

/**
 * Tells people once when the output of a session can no longer be written to disk. Other windows have already told
 * about sessions that are found in this state.
 *
 * @param isOwn Whether it is one of this window's sessions: other windows tell of theirs.
 */
export function tellOfOutputEnds(
  list: SessionList,
  messages: Messages,
  isOwn: (session: Session) => boolean,
): Disposable {
  const told = new WeakMap<Session, string | undefined>();
  return list.onDidChange(({ type, session }) => {
    const reason = session.record.keepOutputEnded;
    if (reason === told.get(session)) {
      return;
    }
    // Keeping the output again removes the reason, so that the next failure is told again.
    told.set(session, reason);
    if (reason !== undefined && type !== 'added' && isOwn(session)) {
      messages.warn(
        vscode.l10n.t(
          'The output of "{0}" is no longer kept on disk: {1}. The session keeps running, and memory keeps its newest output.',
          nameInMessage(session.label),
          reason,
        ),
      );
    }
  });
}
