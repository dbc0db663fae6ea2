import { type Clock, type Disposable, DisposableStore } from '../../core/index.js';
import type { Session } from '../../sessions/list/index.js';

/** How long a tooltip may be out of date, in milliseconds. */
const TOOLTIP_MS = 2_000;

/**
 * Renews tooltips. VS Code keeps a tooltip until its row changes, and output changes no row. So the row is drawn again
 * after the next output, once for each time that somebody has looked.
 */
export class TooltipRenewal implements Disposable {
  readonly #clock: Clock;
  readonly #draw: (session: Session) => void;
  readonly #watched = new Map<Session, DisposableStore>();

  constructor(clock: Clock, draw: (session: Session) => void) {
    this.#clock = clock;
    this.#draw = draw;
  }

  /** To be called when somebody looks at the tooltip of a session. */
  shown(session: Session): void {
    if (this.#watched.has(session) || session.state === 'starting') {
      return;
    }
    const watch = new DisposableStore();
    this.#watched.set(session, watch);
    let due = false;
    watch.add(
      session.process.onWake(() => {
        if (!due) {
          due = true;
          watch.add(
            this.#clock.after(TOOLTIP_MS, () => {
              this.forget(session);
              this.#draw(session);
            }),
          );
        }
      }),
    );
  }

  forget(session: Session): void {
    this.#watched.get(session)?.dispose();
    this.#watched.delete(session);
  }

  dispose(): void {
    for (const session of [...this.#watched.keys()]) {
      this.forget(session);
    }
  }
}
