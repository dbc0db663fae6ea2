import * as vscode from 'vscode';

import type { Disposable } from '../../core/index.js';
import type { Session, SessionList } from '../../sessions/list/index.js';
import { nameInMessage } from '../../sessions/words/index.js';
import type { Messages } from '../messages.js';

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
          'The output of "{0}" is not kept on disk any more: {1}. The session goes on, and memory keeps its newest output.',
          nameInMessage(session.label),
          reason,
        ),
      );
    }
  });
}
