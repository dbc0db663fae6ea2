import * as vscode from 'vscode';

import type { Session } from '../../sessions/list/index.js';
import { canKeepOutput, missingSentence } from '../../sessions/words/index.js';
import { type MessageAction, type Messages, openSettingAction } from '../messages.js';
import type { SessionOutput } from './sessionOutput.js';

/** Offers to keep output on disk, once for each session, when a person asks for output that memory has dropped. */
export class KeepOffer {
  readonly #messages: Messages;
  readonly #told = new WeakSet<Session>();

  constructor(messages: Messages) {
    this.#messages = messages;
  }

  /** Says how much of the requested output is missing, with the offer. */
  readonly whenMissing = (session: Session, { stats }: SessionOutput): void => {
    const missing = stats.evicted.bytes > 0 ? missingSentence(stats, vscode.l10n) : undefined;
    const actions = this.actionsFor(session);
    if (missing !== undefined && actions.length > 0 && !this.#told.has(session)) {
      this.#told.add(session);
      this.#messages.tell(missing, actions);
    }
  };

  /**
   * The offers that can still help: no offer if its output is kept, and the setting for later sessions if it has ended.
   */
  actionsFor(session: Session): readonly MessageAction[] {
    const snapshot = session.snapshot();
    if (canKeepOutput(snapshot)) {
      return [
        {
          title: vscode.l10n.t('Keep Output on Disk'),
          run: () => session.record.keepOutput(true),
        },
      ];
    }
    const isOver = snapshot.outputOnDisk === 'none' && session.ended;
    return isOver ? [openSettingAction('keepOutputOnDisk')] : [];
  }
}
