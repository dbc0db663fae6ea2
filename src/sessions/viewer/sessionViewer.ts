import {
  type Clock,
  deferred,
  delay,
  type Disposable,
  DisposableStore,
  type Localizer,
  shorten,
  type TerminalSize,
} from '../../core/index.js';
import {
  EmulatorLink,
  type Pacer,
  PIECE_CHARACTERS,
  plainKeys,
  WINDOW_CHARACTERS,
} from '../../terminal/index.js';
import { errorText } from '../words/index.js';
import type { Session } from '../list/index.js';

import { ConnectionNotices, endNotice, endText, noticeLine, tellOfControl } from './notices.js';
import { drawableSize, EmulatorSize } from './emulatorSize.js';
import { EndKeys, SessionInput } from './sessionInput.js';
import type { PlayerMarks } from './outputMarks.js';
import { SessionPlayer } from './sessionPlayer.js';
import { NAME_LENGTH, terminalLabel } from './tabName.js';
import type { Viewer, Viewers } from './viewers.js';

/** The time for which a restart waits for the last output of the previous run, in milliseconds. */
const LAST_OUTPUT_MS = 1_000;

/** The terminal that a viewer is drawn in. */
interface ViewerHost {
  write(text: string): void;
  setName(name: string): void;
  /** Closes the terminal, with the exit code of the program if the terminal ends with it. */
  close(exitCode?: number): void;
  sizeChanged(size: TerminalSize): void;
  /** Gives the terminal this size, however large it could be drawn; undefined gives it the size of its place. */
  fixSize(size: TerminalSize | undefined): void;
  /** The terminal shows another session now. */
  sessionChanged(session: Session): void;
}

export interface ViewerOptions {
  readonly session: Session;
  /** Whether the session was started for this terminal, so that none of its output has been shown before. */
  readonly fresh: boolean;
  /** Whether this terminal takes the focus from others that show the session. */
  readonly focused: boolean;
  readonly host: ViewerHost;
  readonly viewers: Viewers;
  readonly pacer: Pacer;
  readonly clock: Clock;
  readonly l10n: Localizer;
  /** Starts the command of a session once more. */
  readonly runAgain: (session: Session) => Promise<Session>;
  /** Whether to explain that the terminals of this environment cannot be resized. */
  readonly explainFixedSize: (environmentId: string) => boolean;
  /** The marks around a session's output; absent where the terminal has no use for them. */
  readonly marks?: ((session: Session) => PlayerMarks | undefined) | undefined;
  /** The table of cell widths that the terminal uses; absent for the usual one. */
  readonly unicode?: (() => '6' | '11') | undefined;
  /** Whether the terminal closes once it has shown the end of the session, so that it cannot run the session again. */
  readonly endsWithSession?: boolean;
}

/** `ended`: the keys R and Enter act. `waiting`, `restarting`, `removed`: there is no process to take input. */
type Phase = 'waiting' | 'playing' | 'ended' | 'restarting' | 'removed';

/** One terminal on a session: shows it, types into it, says how it ended, and can run it again in the same place. */
export class SessionViewer implements Viewer, Disposable {
  readonly #options: ViewerOptions;
  readonly #host: ViewerHost;
  readonly #l10n: Localizer;
  readonly #link: EmulatorLink;
  readonly #emulatorSize: EmulatorSize;
  #session: Session;
  /** The parts that belong to the session that is shown now. */
  #current = new DisposableStore();
  #player: SessionPlayer | undefined;
  #input: SessionInput | undefined;
  #phase: Phase = 'waiting';
  readonly #endKeys = new EndKeys();
  /** Resolves when everything of the session has been shown, including its end. */
  #shown = deferred();
  #primary = false;
  #size: TerminalSize | undefined;
  /** The size that the terminal must not exceed, if the program cannot learn of another size. */
  #fixedSize: TerminalSize | undefined;
  /** Whether the program is to draw everything again, once this terminal gives it its size. */
  #redraws = false;
  #title = '';
  #name: string | undefined;
  #disposed = false;

  constructor(options: ViewerOptions) {
    this.#options = options;
    this.#host = options.host;
    this.#l10n = options.l10n;
    this.#session = options.session;
    this.#link = new EmulatorLink({
      pacer: options.pacer,
      clock: options.clock,
      emit: (text) => this.#host.write(text),
      forward: (input) => this.#typed(this.#emulatorSize.take(input)),
    });
    this.#emulatorSize = new EmulatorSize({
      clock: options.clock,
      ask: (question) => this.#player?.ask(question),
      known: () => this.#size,
      changed: (size) => this.resize(size),
    });
  }

  get session(): Session {
    return this.#session;
  }

  get size(): TerminalSize | undefined {
    return this.#size;
  }

  /** Shows the session. Text written earlier would have been lost, because the terminal exists only now. */
  open(size: TerminalSize | undefined): void {
    if (this.#phase === 'removed') {
      this.sessionRemoved();
      return;
    }
    // The output that is shown at once has to fit as well.
    this.#size = size;
    this.#show(this.#options.session, this.#options.fresh, this.#options.focused);
    if (size !== undefined) {
      this.resize(size);
    }
  }

  /** The terminal has been drawn in its place, perhaps for the first time. */
  drawn(): void {
    // A terminal with a fixed size is never drawn larger. Pipes have no size.
    if (this.#session.request.tty && this.#fixedSize === undefined) {
      this.#emulatorSize.look();
    }
  }

  resize(size: TerminalSize): void {
    this.#size = size;
    this.#host.sizeChanged(size);
    this.#options.viewers.resized(this);
    this.#redraw();
  }

  /** Takes everything that comes from the terminal: text that was typed or pasted, and the emulator's answers. */
  type(input: string): void {
    this.#link.receive(input);
  }

  setPrimary(primary: boolean): void {
    this.#primary = primary;
    this.#player?.setPrimary(primary);
    this.#redraw();
  }

  /** The session is no longer in the list. */
  sessionRemoved(): void {
    this.#phase = 'removed';
    this.#leave();
    this.#say(this.#l10n.t('this session was removed'));
  }

  /** Whether {@link runAgain} can be called: the terminal has been drawn, shows a session, and outlasts it. */
  get canRunAgain(): boolean {
    const shows = this.#phase === 'playing' || this.#phase === 'ended';
    return shows && this.#options.endsWithSession !== true;
  }

  /**
   * Runs the command of the session again in this terminal, once everything of the last run has been shown.
   *
   * @returns the new session; undefined if it could not be started, which the terminal says, or the terminal was
   * closed.
   */
  async runAgain(): Promise<Session | undefined> {
    if (this.#phase === 'playing') {
      // Leftovers of the last run may hold its output open.
      const limit = new AbortController();
      await Promise.race([this.#shown.promise, delay(this.#options.clock, LAST_OUTPUT_MS, limit.signal)]);
      limit.abort();
    }
    return this.canRunAgain ? this.#runAgain() : undefined;
  }

  dispose(): void {
    this.#disposed = true;
    this.#leave();
    this.#emulatorSize.dispose();
    this.#link.dispose();
  }

  /** Takes a person's input, and the emulator's answers to the program. */
  #typed(input: string): void {
    if (input === '') {
      return;
    }
    const alone = this.#endKeys.pressed(this.#options.clock.now());
    if (this.#phase === 'playing') {
      this.#input?.type(input);
    } else if (this.#phase === 'ended' && alone) {
      const key = plainKeys(input);
      if (key === 'r' || key === 'R') {
        void this.#runAgain();
      } else if (key === '\r') {
        this.#host.close();
      }
    }
  }

  #show(session: Session, fresh: boolean, focused: boolean): void {
    this.#session = session;
    this.#title = '';
    this.#redraws = false;
    this.#current = new DisposableStore();
    this.#phase = 'waiting';
    this.#shown = deferred();
    this.#options.viewers.add(session, this, focused);
    this.#current.add(
      session.onDidChange(() => {
        this.#playOnceStarted(fresh);
        this.#updateName();
      }),
    );
    this.#playOnceStarted(fresh);
    this.#updateName();
  }

  #playOnceStarted(fresh: boolean): void {
    const session = this.#session;
    if (this.#phase !== 'waiting' || session.state === 'starting') {
      return;
    }
    this.#phase = 'playing';
    this.#fixSize(session);
    const player: SessionPlayer = this.#current.add(
      new SessionPlayer({
        session,
        fresh,
        writer: this.#link,
        replays: this.#options.pacer.replays,
        clock: this.#options.clock,
        l10n: this.#l10n,
        // Room for all output on its way to the emulator, and for the next piece. When that way is full, this window is
        // full too and holds the process back.
        windowBytes: WINDOW_CHARACTERS + PIECE_CHARACTERS,
        size: () => this.#drawnSize(),
        marks: this.#options.marks?.(session),
        unicode: this.#options.unicode?.(),
        endText: (ended) =>
          this.#options.endsWithSession === true ? endText(ended, this.#l10n) : endNotice(ended, this.#l10n),
        listener: {
          claim: (seq) => this.#session === session && this.#options.viewers.claim(this, seq),
          titleChanged: (title) => {
            if (this.#player === player) {
              this.#title = title;
              this.#updateName();
            }
          },
          incomplete: () => {
            this.#redraws = session.request.tty;
            this.#redraw();
          },
          ended: () => {
            if (this.#phase === 'playing') {
              this.#ended();
            }
          },
        },
      }),
    );
    this.#player = player;
    this.#input = new SessionInput({
      session,
      listener: { echo: (text) => player.insert(text), notice: (text) => player.notice(text) },
      l10n: this.#l10n,
      now: () => this.#options.clock.now(),
      cursorQueries: () => player.cursorQueries,
    });
    this.#current.add(tellOfControl(session, (text) => player.notice(text), this.#l10n));
    player.setPrimary(this.#primary);
    this.#current.add(
      new ConnectionNotices({
        session,
        say: (text) => player.notice(text),
        l10n: this.#l10n,
        now: () => this.#options.clock.wallTime(),
      }),
    );
    this.#options.viewers.resized(this);
    this.drawn();
  }

  /** A program that cannot be notified of another size must be shown in the size that it knows. */
  #fixSize(session: Session): void {
    const fixed = session.request.tty && session.lacks.includes('resize');
    const size = fixed ? drawableSize(session.process.info().size) : undefined;
    this.#fixedSize = size;
    this.#host.fixSize(size);
    if (size !== undefined && this.#options.explainFixedSize(session.environment.id)) {
      this.#say(
        this.#l10n.t(
          'terminals on {0} cannot be resized: programs there see {1} columns and {2} rows; make this one no smaller',
          session.environment.label,
          size.columns,
          size.rows,
        ),
      );
    }
  }

  /** The size in which VS Code draws the terminal: the fixed size, if its place has room for it. */
  #drawnSize(): TerminalSize | undefined {
    const [size, fixed] = [this.#size, this.#fixedSize];
    return size === undefined || fixed === undefined
      ? (size ?? fixed)
      : { columns: Math.min(size.columns, fixed.columns), rows: Math.min(size.rows, fixed.rows) };
  }

  async #runAgain(): Promise<Session | undefined> {
    this.#phase = 'restarting';
    const before = this.#session;
    try {
      const session = await this.#options.runAgain(before);
      if (this.#isOver()) {
        return session;
      }
      this.#leave();
      this.#say(this.#l10n.t('running again: {0}', shorten(session.commandLine, NAME_LENGTH)));
      this.#show(session, true, true);
      this.#host.sessionChanged(session);
      return session;
    } catch (error) {
      if (!this.#isOver()) {
        this.#say(errorText(error, this.#l10n));
        this.#say(this.#l10n.t('press R to try again, Enter to close'));
        this.#takeEndKeys();
      }
      return undefined;
    }
  }

  #redraw(): void {
    if (this.#redraws && this.#options.viewers.redraw(this)) {
      this.#redraws = false;
    }
  }

  /** Everything of the session has been shown. */
  #ended(): void {
    this.#takeEndKeys();
    this.#shown.resolve();
    if (this.#options.endsWithSession === true) {
      // A session that was lost may have no code; that is a failure as well.
      this.#host.close(this.#session.snapshot().exit?.exitCode ?? 1);
    }
  }

  #takeEndKeys(): void {
    this.#phase = 'ended';
    this.#endKeys.ended(this.#options.clock.now());
  }

  /** Whether the new session has come too late: the terminal was closed or the old session was removed meanwhile. */
  #isOver(): boolean {
    return this.#disposed || this.#phase !== 'restarting';
  }

  #leave(): void {
    this.#current.dispose();
    this.#options.viewers.remove(this);
    this.#player = undefined;
    this.#input = undefined;
    this.#primary = false;
  }

  #say(text: string): void {
    this.#link.write({ size: text.length, render: () => ({ text: noticeLine(text) }) });
  }

  #updateName(): void {
    const name = terminalLabel(this.#session.snapshot(), this.#title);
    if (name !== this.#name && !this.#disposed) {
      this.#name = name;
      this.#host.setName(name);
    }
  }
}
