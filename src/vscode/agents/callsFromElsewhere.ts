import { type Clock, type Disposable, DisposableStore } from '../../core/index.js';
import type { Session, SessionEvents, WindowFolders } from '../../sessions/list/index.js';
import type { PersonCalls } from './personCalls.js';

/**
 * The time for which a call or a question is left to the windows of the session's folder, in milliseconds. That folder may have no
 * window.
 */
export const OTHERS_MS = 30_000;

interface CallsFromElsewhereOptions {
  readonly events: SessionEvents;
  readonly folders: WindowFolders;
  readonly calls: Pick<PersonCalls, 'notify'>;
  readonly clock: Clock;
}

/**
 * Notifies people of sessions that wait for a person, as agents outside of this window report. It does so at once for
 * its own sessions, and after a while for unanswered sessions of other folders.
 */
export class CallsFromElsewhere implements Disposable {
  readonly #options: CallsFromElsewhereOptions;
  readonly #store = new DisposableStore();
  readonly #calls = new Map<Session, DisposableStore>();

  constructor(options: CallsFromElsewhereOptions) {
    this.#options = options;
    const { events } = options;
    this.#store.add(events.onDidChange((session) => this.#look(session)));
    this.#store.add(events.onDidRemove((session) => this.#over(session)));
  }

  dispose(): void {
    this.#store.dispose();
    [...this.#calls.keys()].forEach((session) => this.#over(session));
  }

  #look(session: Session): void {
    // A person who has control is at the terminal already.
    const waits =
      session.control?.waitsFor !== undefined && !session.control.calledHere && session.controlledByAgent;
    if (!waits) {
      this.#over(session);
    } else if (!this.#calls.has(session)) {
      const call = new DisposableStore();
      this.#calls.set(session, call);
      this.#notify(session, call);
    }
  }

  #notify(session: Session, call: DisposableStore): void {
    const { folders, calls, clock } = this.#options;
    if (folders.has(session)) {
      calls.notify(session, call);
    } else {
      call.add(clock.after(OTHERS_MS, () => calls.notify(session, call)));
    }
  }

  #over(session: Session): void {
    this.#calls.get(session)?.dispose();
    this.#calls.delete(session);
  }
}
