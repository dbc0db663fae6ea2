import * as vscode from 'vscode';

import { type Clock, type Disposable, DisposableStore } from '../../core/index.js';
import type { Session, SessionEvents } from '../../sessions/list/index.js';
import type { NotifyAbout } from '../../sessions/options/index.js';
import { endSentence, hasFailed, longDuration, nameInMessage } from '../../sessions/words/index.js';
import type { Dialogs } from '../dialogs.js';
import { type Messages, openSettingAction } from '../messages.js';

/** How long after a session's end people are told of it, in milliseconds: its terminal may just be opening. */
const SETTLED_MS = 500;

/** The time after a notice in which there is no other one, in milliseconds. */
const PAUSE_MS = 5_000;

interface EndNoticesOptions {
  readonly events: SessionEvents;
  readonly clock: Clock;
  readonly dialogs: Dialogs;
  /** Read at each end. */
  readonly about: () => NotifyAbout;
  /** Whether a person can see the session's terminal. */
  readonly isVisible: (session: Session) => boolean;
  /** Whether it is still in the list. Removed sessions need no message. */
  readonly isListed: (session: Session) => boolean;
  /** Whether it is one of this window's sessions: other windows tell of theirs. */
  readonly isOwn: (session: Session) => boolean;
  /** Whether another message says how and why it ended. */
  readonly isToldOf: (session: Session) => Promise<boolean>;
  /** Whether people have asked to be told of its end. */
  readonly isMarked: (session: Session) => boolean;
  readonly show: (session: Session) => void;
  /** Runs it again, in its terminal and at its place of the list. */
  readonly restart: (session: Session) => void;
}

/**
 * Tells people that a session ended that they do not see. Ends soon after a notice are told together a little later. No
 * notice waits for another, because VS Code keeps and hides unanswered ones.
 */
export class EndNotices implements Disposable {
  readonly #options: EndNoticesOptions;
  readonly #store = new DisposableStore();
  /** Sessions that were told to stop. These need no message. */
  readonly #stopped = new WeakSet<Session>();
  #untold: Session[] = [];
  #pausing = false;

  constructor(options: EndNoticesOptions) {
    this.#options = options;
    const { events, clock } = options;
    this.#store.add(
      events.onDidChange((session) => {
        if (session.snapshot().stopping) {
          this.#stopped.add(session);
        }
      }),
    );
    this.#store.add(
      events.onDidEnd((session) => {
        if (options.isVisible(session)) {
          return;
        }
        const timer = this.#store.add(
          clock.after(SETTLED_MS, () => {
            this.#store.delete(timer);
            void this.#ended(session);
          }),
        );
      }),
    );
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #ended(session: Session): Promise<void> {
    // It may have been removed or shown while the reason was looked for.
    if (this.#isWanted(session) && !(await this.#options.isToldOf(session)) && this.#isWanted(session)) {
      this.#untold.push(session);
      this.#tell();
    }
  }

  #isWanted(session: Session): boolean {
    const about = this.#options.about();
    // The environment reports lost sessions, once for all.
    const { isListed, isVisible } = this.#options;
    if (about === 'off' || session.state === 'lost' || isVisible(session) || !isListed(session)) {
      return false;
    }
    if (this.#options.isMarked(session)) {
      return true;
    }
    // Agents look after their own sessions.
    const looksAfterItself = session.request.origin.kind === 'agent' || this.#wasStopped(session);
    const own = this.#options.isOwn(session) && !looksAfterItself;
    return own && (about === 'all' || (about === 'failures' && hasFailed(session.snapshot())));
  }

  /** Here, or in another window. */
  #wasStopped(session: Session): boolean {
    return this.#stopped.has(session) || session.snapshot().stopped === true;
  }

  #tell(): void {
    if (this.#pausing) {
      return;
    }
    const sessions = this.#untold.filter(this.#options.isListed);
    this.#untold = [];
    if (sessions.length === 0) {
      return;
    }
    void this.#tellOf(sessions);
    this.#pausing = true;
    const timer = this.#store.add(
      this.#options.clock.after(PAUSE_MS, () => {
        this.#store.delete(timer);
        this.#pausing = false;
        this.#tell();
      }),
    );
  }

  async #tellOf(sessions: readonly Session[]): Promise<void> {
    const { dialogs, show, restart } = this.#options;
    const last = sessions.at(-1);
    if (last === undefined) {
      return;
    }
    const text =
      sessions.length === 1
        ? endSentence(last.snapshot(), vscode.l10n)
        : vscode.l10n.t(
            '{0} sessions have ended. The last one: {1}',
            sessions.length,
            endSentence(last.snapshot(), vscode.l10n),
          );
    const showIt = vscode.l10n.t('Show');
    const again = vscode.l10n.t('Restart');
    const failed = sessions.some((session) => hasFailed(session.snapshot()));
    const chosen = failed ? await dialogs.warn(text, showIt, again) : await dialogs.info(text, showIt, again);
    if (chosen === showIt) {
      show(last);
    } else if (chosen === again) {
      restart(last);
    }
  }
}

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
    'A setting controls how long sessions keep running without a window. Sessions of agents end after ten minutes, unless you choose Keep Running.',
  );
  messages.tell(`${first} ${rule}`, [openSettingAction('keepWithoutClientHours')]);
}
