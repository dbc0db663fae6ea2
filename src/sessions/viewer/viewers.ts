import type { TerminalSize, ViewState } from '../../core/index.js';
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
  /** Ordered by their last focus. The last one is primary. */
  readonly viewers: Viewer[];
  /** The last number of output that was handed to an emulator that may answer it, and the viewer of that emulator. */
  answered: { seq: number; by: Viewer | undefined };
  /** The viewer that has been told that it is primary. */
  primary: Viewer | undefined;
  /** The facts about these viewers that the session's process was told. */
  told: ViewState;
}

interface ViewersHost {
  /** Gives a session the size of its primary terminal. */
  resize(session: Session, size: TerminalSize): void;
  /** Makes a full-screen program draw everything again in its primary terminal. */
  redraw(session: Session, size: TerminalSize): void;
  /** Whether a terminal of another window is the primary one. */
  isElsewhere(session: Session): boolean;
  /** Tells the other windows what this window shows of a started session. */
  tell(session: Session, state: ViewState): void;
}

/**
 * Knows which terminals show a session, and which of their emulators answers the program: the one that had the focus
 * last, in any window. Two emulators of this window never answer the same output, not even while the focus moves and
 * one terminal is late.
 */
export class Viewers {
  readonly #groups = new Map<Session, Group>();
  readonly #groupOf = new Map<Viewer, Group>();
  readonly #host: ViewersHost;

  constructor(host: ViewersHost) {
    this.#host = host;
  }

  /** The viewers of a session, the last focused first. */
  of(session: Session): readonly Viewer[] {
    return [...(this.#groups.get(session)?.viewers ?? [])].reverse();
  }

  /** @param focused Whether the viewer becomes primary even if there are others. */
  add(session: Session, viewer: Viewer, focused: boolean): void {
    let group = this.#groups.get(session);
    if (group === undefined) {
      group = {
        session,
        viewers: [],
        answered: { seq: 0, by: undefined },
        primary: undefined,
        told: 'none',
      };
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
    this.#tell(group, focused);
  }

  /** The viewer has the focus now. */
  focus(viewer: Viewer): void {
    const group = this.#groupOf.get(viewer);
    if (group !== undefined) {
      this.#change(group, () => {
        group.viewers.splice(group.viewers.indexOf(viewer), 1);
        group.viewers.push(viewer);
      });
      this.#tell(group, true);
    }
  }

  /** Something about the session has changed: it may have started, or be shown in another window. */
  look(session: Session): void {
    const group = this.#groups.get(session);
    if (group !== undefined) {
      this.#change(group, () => undefined);
      this.#tell(group, false);
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
    this.#tell(group, false);
  }

  /** The viewer's size has changed. */
  resized(viewer: Viewer): void {
    const group = this.#groupOf.get(viewer);
    if (group !== undefined && this.#primaryOf(group) === viewer && viewer.size !== undefined) {
      this.#host.resize(group.session, viewer.size);
    }
  }

  /**
   * Makes the program draw itself anew in this viewer, if the viewer is primary and has a size.
   *
   * @returns whether that is under way.
   */
  redraw(viewer: Viewer): boolean {
    const group = this.#groupOf.get(viewer);
    if (group === undefined || this.#primaryOf(group) !== viewer || viewer.size === undefined) {
      return false;
    }
    this.#host.redraw(group.session, viewer.size);
    return true;
  }

  /** Whether this terminal's emulator may answer the output with this number; if so, no other one may. */
  claim(viewer: Viewer, seq: number): boolean {
    const group = this.#groupOf.get(viewer);
    if (group === undefined || this.#primaryOf(group) !== viewer) {
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
    change();
    const before = group.primary;
    const after = this.#primaryOf(group);
    if (before !== after) {
      group.primary = after;
      before?.setPrimary(false);
      after?.setPrimary(true);
      if (after !== undefined) {
        this.resized(after);
      }
    }
  }

  #primaryOf(group: Group): Viewer | undefined {
    const { session, viewers } = group;
    return session.state !== 'starting' && this.#host.isElsewhere(session) ? undefined : viewers.at(-1);
  }

  /** @param focused Whether one of the viewers has got the focus just now: the last window that says so is primary. */
  #tell(group: Group, focused: boolean): void {
    const { session, viewers, told } = group;
    if (session.state === 'starting') {
      // A session that was started for a terminal is focused there.
      group.told = 'none';
      return;
    }
    if (focused) {
      group.told = 'focused';
      this.#host.tell(session, 'focused');
    } else if (viewers.length === 0 ? told !== 'none' : told === 'none') {
      group.told = viewers.length === 0 ? 'none' : 'shown';
      this.#host.tell(session, group.told);
    }
  }
}
