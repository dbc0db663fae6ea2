import type { TerminalSize } from '../../core/index.js';
import type { Session } from '../list/index.js';

/** A terminal that shows a session. */
export interface Viewer {
  /** The terminal's size in cells, as soon as that is known. */
  readonly size: TerminalSize | undefined;
  /** Says that this viewer is, or is no longer, the one whose emulator speaks to the program. */
  setPrimary(primary: boolean): void;
}

interface Group {
  readonly session: Session;
  /** Ordered by their last focus: the last one had it last and is primary. */
  readonly viewers: Viewer[];
  /** The last number of output that was handed to an emulator that may answer it, and the viewer of that emulator. */
  answered: { seq: number; by: Viewer | undefined };
}

/**
 * Knows which terminals show a session, and which of their emulators answers the program: that of the terminal that had
 * the focus last. No output is ever given to two emulators to answer, not even while the focus moves and one terminal
 * lags behind.
 */
export class Viewers {
  readonly #groups = new Map<Session, Group>();
  readonly #groupOf = new Map<Viewer, Group>();
  readonly #resize: (session: Session, size: TerminalSize) => void;

  /** @param resize Gives a session the size of its primary terminal. */
  constructor(resize: (session: Session, size: TerminalSize) => void) {
    this.#resize = resize;
  }

  /** The viewers of a session, the last focused first. */
  of(session: Session): readonly Viewer[] {
    return [...(this.#groups.get(session)?.viewers ?? [])].reverse();
  }

  /** @param focused Whether the viewer becomes primary even if there are others. */
  add(session: Session, viewer: Viewer, focused: boolean): void {
    let group = this.#groups.get(session);
    if (group === undefined) {
      group = { session, viewers: [], answered: { seq: 0, by: undefined } };
      this.#groups.set(session, group);
    }
    this.#groupOf.set(viewer, group);
    this.#change(group, () => {
      if (focused) {
        group.viewers.push(viewer);
      } else {
        group.viewers.unshift(viewer);
      }
    });
  }

  /** The viewer has the focus now. */
  focus(viewer: Viewer): void {
    const group = this.#groupOf.get(viewer);
    if (group !== undefined) {
      this.#change(group, () => {
        group.viewers.splice(group.viewers.indexOf(viewer), 1);
        group.viewers.push(viewer);
      });
    }
  }

  remove(viewer: Viewer): void {
    const group = this.#groupOf.get(viewer);
    if (group === undefined) {
      return;
    }
    this.#groupOf.delete(viewer);
    this.#change(group, () => group.viewers.splice(group.viewers.indexOf(viewer), 1));
    if (group.viewers.length === 0) {
      this.#groups.delete(group.session);
    }
  }

  /** The viewer's size has changed. */
  resized(viewer: Viewer): void {
    const group = this.#groupOf.get(viewer);
    if (group?.viewers.at(-1) === viewer && viewer.size !== undefined) {
      this.#resize(group.session, viewer.size);
    }
  }

  /** Whether this terminal's emulator may answer the output with this number; if so, no other one may. */
  claim(viewer: Viewer, seq: number): boolean {
    const group = this.#groupOf.get(viewer);
    if (group?.viewers.at(-1) !== viewer) {
      return false;
    }
    const { answered } = group;
    if (seq < answered.seq || (seq === answered.seq && answered.by !== viewer)) {
      return false;
    }
    group.answered = { seq, by: viewer };
    return true;
  }

  #change(group: Group, change: () => void): void {
    const before = group.viewers.at(-1);
    change();
    const after = group.viewers.at(-1);
    if (before !== after) {
      before?.setPrimary(false);
      after?.setPrimary(true);
      if (after !== undefined) {
        this.resized(after);
      }
    }
  }
}
