import * as vscode from 'vscode';

import type { Session } from '../../sessions/list/index.js';
import { nameInMessage } from '../../sessions/words/index.js';
import type { Messages } from '../messages.js';

const KEY = 'execSessions.knowsThatSessionsGoOn';

/** Tells people who close a terminal that its session goes on, until they say that they know it. */
export class DetachNotice {
  readonly #memento: vscode.Memento;
  readonly #messages: Messages;
  readonly #stop: (session: Session) => Promise<void>;

  constructor(options: {
    /** Remembers the messages that people know. */
    memento: vscode.Memento;
    messages: Messages;
    stop: (session: Session) => Promise<void>;
  }) {
    this.#memento = options.memento;
    this.#messages = options.messages;
    this.#stop = options.stop;
  }

  /** A person has closed the last terminal of this running session. */
  tell(session: Session): void {
    if (this.#memento.get<unknown>(KEY) === true) {
      return;
    }
    this.#messages.tell(
      vscode.l10n.t('"{0}" goes on. You find it in the Exec Sessions view.', nameInMessage(session.label)),
      [
        { title: vscode.l10n.t('Stop It'), run: () => this.#stop(session) },
        { title: vscode.l10n.t("Don't Show Again"), run: () => this.#memento.update(KEY, true) },
      ],
    );
  }
}
