import { type Disposable, DisposableStore, Emitter, type Event } from '../../core/index.js';
import type { Session } from './session.js';
import type { SessionState } from './sessionSnapshot.js';
import type { SessionList } from './sessionList.js';

/** The events of sessions. Start, exit, end and removal fire at most once for each session, in that order. */
export class SessionEvents implements Disposable {
  readonly #store = new DisposableStore();
  readonly #states = new Map<string, SessionState>();
  readonly #started = this.#store.add(new Emitter<Session>());
  readonly #changed = this.#store.add(new Emitter<Session>());
  readonly #exited = this.#store.add(new Emitter<Session>());
  readonly #ended = this.#store.add(new Emitter<Session>());
  readonly #removed = this.#store.add(new Emitter<Session>());

  constructor(list: SessionList) {
    this.#store.add(
      list.onDidChange(({ type, session }) => {
        if (type === 'removed') {
          this.#onRemoved(session);
        } else if (type === 'restored') {
          this.#states.set(session.id, session.state);
          this.#changed.fire(session);
        } else {
          this.#onChanged(session);
        }
      }),
    );
  }

  /** The session's process was started; a short one may have ended by now. */
  get onDidStart(): Event<Session> {
    return this.#started.event;
  }

  /** Anything about a started session but its output has changed. */
  get onDidChange(): Event<Session> {
    return this.#changed.event;
  }

  /** The exit status of the session's process is known. */
  get onDidExit(): Event<Session> {
    return this.#exited.event;
  }

  /** The session is closed or lost: nothing follows. */
  get onDidEnd(): Event<Session> {
    return this.#ended.event;
  }

  /** The session has left the list. Does not fire for a session that failed to start. */
  get onDidRemove(): Event<Session> {
    return this.#removed.event;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #onChanged(session: Session): void {
    const before = this.#states.get(session.id) ?? 'starting';
    const after = session.state;
    this.#states.set(session.id, after);
    if (before === 'starting' && after !== 'starting') {
      this.#started.fire(session);
    }
    if (after !== 'starting') {
      this.#changed.fire(session);
    }
    if (exitKnown(after) && !exitKnown(before)) {
      this.#exited.fire(session);
    }
    if (isOver(after) && !isOver(before)) {
      this.#ended.fire(session);
    }
  }

  #onRemoved(session: Session): void {
    const state = this.#states.get(session.id) ?? 'starting';
    this.#states.delete(session.id);
    if (state !== 'starting') {
      this.#removed.fire(session);
    }
  }
}

function exitKnown(state: SessionState): boolean {
  return state === 'exited' || state === 'closed';
}

function isOver(state: SessionState): boolean {
  return state === 'closed' || state === 'lost';
}
