import * as vscode from 'vscode';

import { Alarm, type Clock, type Disposable } from '../../core/index.js';
import type { Session } from '../../sessions/list/index.js';
import type { CloseAction } from '../../sessions/options/index.js';
import { nameInMessage } from '../../sessions/words/index.js';
import { logMark } from '../log.js';
import type { Messages } from '../messages.js';

/** Whether a person has closed the terminal. VS Code at its end, or an extension, may also have done so. */
export function closedByPerson({ exitStatus }: Pick<vscode.Terminal, 'exitStatus'>): boolean {
  return exitStatus?.reason === vscode.TerminalExitReason.User;
}

/** The time in which closed terminals are gathered into one message, in milliseconds. */
const TOGETHER_MS = 500;

const KEY = 'execSessions.knowsThatSessionsGoOn';

interface ClosedTerminalsOptions {
  /** The setting, read each time. */
  readonly action: () => CloseAction;
  /** Remembers the messages that people know. */
  readonly memento: vscode.Memento;
  readonly messages: Messages;
  readonly clock: Clock;
  readonly log: vscode.LogOutputChannel;
  /** Shows their rows in the view. */
  readonly show: (sessions: readonly Session[]) => unknown;
  /** Stops them and reports the outcome. */
  readonly stop: (sessions: readonly Session[]) => unknown;
  readonly reopen: (session: Session) => unknown;
}

/**
 * Handles running sessions whose last terminal a person has closed, as the settings say. There is one message for
 * terminals that close together.
 */
export class ClosedTerminals implements Disposable {
  readonly #options: ClosedTerminalsOptions;
  readonly #later: Alarm;
  #closed: Session[] = [];

  constructor(options: ClosedTerminalsOptions) {
    this.#options = options;
    this.#later = new Alarm(options.clock);
  }

  add(session: Session): void {
    const { action, log, stop } = this.#options;
    log.info(`${logMark(session)} its last terminal was closed`);
    if (action() === 'stop') {
      stop([session]);
      return;
    }
    this.#closed.push(session);
    this.#later.setUnlessSet(TOGETHER_MS, () => this.#tell());
  }

  dispose(): void {
    this.#later.dispose();
  }

  #tell(): void {
    const { action, memento, messages, show, stop, reopen } = this.#options;
    const sessions = this.#closed.filter(({ ended }) => !ended);
    this.#closed = [];
    const [first, ...more] = sessions;
    if (first === undefined) {
      return;
    }
    const name = nameInMessage(first.label);
    if (action() === 'ask') {
      messages.tell(
        more.length === 0
          ? vscode.l10n.t('"{0}" is still running.', name)
          : vscode.l10n.t('{0} sessions are still running.', sessions.length),
        [
          { title: vscode.l10n.t('Keep'), run: () => undefined },
          { title: vscode.l10n.t('Stop'), run: () => stop(sessions.filter(({ ended }) => !ended)) },
          { title: vscode.l10n.t('Reopen'), run: () => sessions.forEach(reopen) },
        ],
      );
    } else if (memento.get<unknown>(KEY) !== true) {
      messages.tell(
        more.length === 0
          ? vscode.l10n.t('"{0}" keeps running. You find it in the Exec Sessions view.', name)
          : vscode.l10n.t(
              '{0} sessions keep running. You find them in the Exec Sessions view.',
              sessions.length,
            ),
        [
          { title: vscode.l10n.t('Show'), run: () => show(sessions) },
          {
            title: more.length === 0 ? vscode.l10n.t('Stop It') : vscode.l10n.t('Stop Them'),
            run: () => stop(sessions.filter(({ ended }) => !ended)),
          },
          { title: vscode.l10n.t("Don't Show Again"), run: () => memento.update(KEY, true) },
        ],
      );
    }
  }
}
