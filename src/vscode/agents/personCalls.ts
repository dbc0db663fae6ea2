import * as vscode from 'vscode';

import { type Disposable, DisposableStore } from '../../core/index.js';
import type { PersonWanted, Session } from '../../sessions/list/index.js';
import { nameInMessage, originText } from '../../sessions/words/index.js';
import type { MessageAction, Messages } from '../messages.js';

/**
 * Calls a person to an agent's session: marks its row, and shows a notification. A notification cannot be taken away
 * again; once the call is over, its buttons only show the session.
 */
export class PersonCalls {
  readonly #messages: Messages;
  readonly #open: (session: Session) => void;

  /** @param options.open Shows a session's terminal, with the keyboard. */
  constructor(options: { messages: Messages; open: (session: Session) => void }) {
    this.#messages = options.messages;
    this.#open = options.open;
  }

  /** Calls a person until the returned object is disposed. */
  call(session: Session, wanted: PersonWanted): Disposable {
    const call = new DisposableStore();
    const waiting = session.control?.waitFor(wanted);
    if (waiting !== undefined) {
      call.add(waiting);
    }
    // A person who has control is at the terminal already.
    if (session.controlledByAgent) {
      this.notify(session, call);
    }
    return call;
  }

  /** Shows the notification of a call that is over when `call` is disposed. */
  notify(session: Session, call: DisposableStore): void {
    let over = false;
    call.add({ dispose: () => (over = true) });
    this.#messages.call(
      vscode.l10n.t(
        '"{0}" waits for a secret, such as a password. Take control to type it in the terminal: {1} does not see what you type there.',
        nameInMessage(session.label),
        originText(session.request.origin, vscode.l10n),
      ),
      callActions(session, this.#open, () => over),
    );
  }
}

/** The buttons of a call to a session. Once the call is over, they only show the session. */
export function callActions(
  session: Session,
  open: (session: Session) => void,
  isOver: () => boolean,
): readonly MessageAction[] {
  const show = { title: vscode.l10n.t('Show'), run: () => open(session) };
  const takeControl = {
    title: vscode.l10n.t('Take Control'),
    run: () => {
      if (!isOver()) {
        session.control?.giveTo('person');
      }
      open(session);
    },
  };
  return session.controlledByAgent ? [takeControl, show] : [show];
}
