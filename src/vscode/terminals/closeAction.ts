import * as vscode from 'vscode';

import type { Session } from '../../sessions/list/index.js';
import type { CloseAction } from '../../sessions/options/index.js';
import { nameInMessage } from '../../sessions/words/index.js';
import type { Dialogs } from '../dialogs.js';
import { logMark } from '../log.js';
import type { Messages } from '../messages.js';

/** Whether a person has closed the terminal. VS Code at its end, or an extension, may also have done so. */
export function closedByPerson({ exitStatus }: Pick<vscode.Terminal, 'exitStatus'>): boolean {
  return exitStatus?.reason === vscode.TerminalExitReason.User;
}

/** Handles a running session whose last terminal was closed, as the user has chosen in the settings or chooses now. */
export async function afterClosing(
  session: Session,
  options: {
    readonly action: CloseAction;
    readonly dialogs: Dialogs;
    readonly log: vscode.LogOutputChannel;
    /** Stops the session and reports the outcome. */
    readonly stop: () => Promise<void>;
    readonly reopen: () => void;
    /** Reports a session that goes on without a question to the user. */
    readonly tell: () => void;
  },
): Promise<void> {
  const { dialogs, log, stop, reopen, tell } = options;
  const mark = `${logMark(session)} its last terminal was closed`;
  const action = options.action === 'ask' ? await ask(session, dialogs) : options.action;
  if (action === 'detach') {
    log.info(`${mark}; it goes on`);
    if (options.action === 'detach') {
      tell();
    }
  } else if (action === 'reopen') {
    log.info(`${mark}, and opened again`);
    reopen();
  } else if (session.ended) {
    log.info(`${mark}; it has ended meanwhile`);
  } else {
    log.info(`${mark}; it is being stopped`);
    await stop();
  }
}

async function ask(session: Session, dialogs: Dialogs): Promise<'detach' | 'stop' | 'reopen'> {
  const keep = vscode.l10n.t('Keep');
  const stop = vscode.l10n.t('Stop');
  const reopen = vscode.l10n.t('Reopen');
  const chosen = await dialogs.warn(
    vscode.l10n.t('"{0}" is still running.', nameInMessage(session.label)),
    keep,
    stop,
    reopen,
  );
  return chosen === stop ? 'stop' : chosen === reopen ? 'reopen' : 'detach';
}

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
