import * as vscode from 'vscode';

import type { Session } from '../../sessions/list/index.js';
import { canKeepOutput, missingSentence } from '../../sessions/words/index.js';
import type { MessageAction, Messages } from '../messages.js';
import { openSettingAction } from '../openSetting.js';
import type { SessionOutput } from './sessionOutput.js';

/** Offers to keep output on disk to those who have asked for what memory has let go, once for each session. */
export class KeepOffer {
  readonly #messages: Messages;
  readonly #told = new WeakSet<Session>();

  constructor(messages: Messages) {
    this.#messages = messages;
  }

  /** Says what is missing of output that somebody has asked for, with the offer. */
  readonly whenMissing = (session: Session, { stats }: SessionOutput): void => {
    const missing = stats.evicted.bytes > 0 ? missingSentence(stats, vscode.l10n) : undefined;
    const actions = this.actionsFor(session);
    if (missing !== undefined && actions.length > 0 && !this.#told.has(session)) {
      this.#told.add(session);
      this.#messages.tell(missing, actions);
    }
  };

  /** The offers that can still help: none if its output is kept, and the rule for later ones if it has ended. */
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
