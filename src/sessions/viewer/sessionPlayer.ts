import {
  type Clock,
  type Disposable,
  DisposableStore,
  type ExecEvent,
  type Localizer,
  type OutputEvent,
  type Semaphore,
  type Subscription,
  type TerminalSize,
} from '../../core/index.js';
import {
  type OutputWriter,
  type ReplayEnd,
  RetainedScreen,
  ScreenText,
  slices,
  terminalText,
  type TerminalText,
} from '../../terminal/index.js';
import type { Session, SessionSnapshot } from '../list/index.js';

import { gapNotice, noticeLine, openNotice } from './notices.js';
import { OutputMarks, type PlayerMarks } from './outputMarks.js';

/** The time that an exited process may take to close before its terminal says that it has not, in milliseconds. */
const TERMINAL_CLOSE_GRACE_MS = 1_000;

/** The assumed size of a terminal that VS Code has not drawn yet. Hardly any is larger. */
const SIZE_BEFORE_DRAWN: TerminalSize = { columns: 300, rows: 100 };

/** Receives the facts that a terminal needs about its session. */
interface PlayerListener {
  /** Whether the emulator may answer the output with this number. */
  claim(seq: number): boolean;
  /** The program has changed the title of its window; empty for none. */
  titleChanged(title: string): void;
  /** Some output is missing: a program with a terminal should draw everything again. */
  incomplete(): void;
  /** Everything has been shown, including the end. */
  ended(): void;
}

/** The options that a replay needs as well. */
interface ReplayOptions {
  /** See {@link Pacer.replays}. */
  readonly replays: Semaphore;
  /** Returns the size of the terminal, which may change; undefined until it has been drawn. */
  readonly size: () => TerminalSize | undefined;
  /** The table of cell widths that the terminal uses, if it is not the usual one. */
  readonly unicode?: '6' | '11' | undefined;
}

/**
 * Shows one session in one terminal: the output that its log retains, then new output, then how it ended. The emulator
 * never answers output that was in the log at the beginning, unless the session is `fresh`. No other terminal has shown
 * the output of a fresh session.
 */
export class SessionPlayer implements Disposable {
  readonly #session: Session;
  readonly #writer: OutputWriter;
  readonly #listener: PlayerListener;
  readonly #clock: Clock;
  readonly #l10n: Localizer;
  readonly #text: TerminalText;
  /** Shows the earlier output of a session with a terminal. All events go through it. */
  readonly #retained: RetainedScreen | undefined;
  readonly #subscription: Subscription;
  readonly #disposables = new DisposableStore();
  readonly #replayThrough: number;
  readonly #marks: OutputMarks | undefined;
  readonly #endText: (session: SessionSnapshot) => string;
  #replaying: boolean;
  #primary = false;
  #title = '';

  /** The session must have started. */
  constructor(
    options: ReplayOptions & {
      session: Session;
      fresh: boolean;
      writer: OutputWriter;
      listener: PlayerListener;
      clock: Clock;
      l10n: Localizer;
      windowBytes: number;
      marks?: PlayerMarks | undefined;
      /** The terminal's text about the end. */
      endText: (session: SessionSnapshot) => string;
    },
  ) {
    const { session } = options;
    this.#session = session;
    this.#writer = options.writer;
    this.#listener = options.listener;
    this.#clock = options.clock;
    this.#l10n = options.l10n;
    const { output, priorSeq = 0 } = session.process.info();
    this.#replayThrough = options.fresh ? 0 : Math.max(output.lastSeq, priorSeq);
    this.#replaying = this.#replayThrough > 0;
    const sizeOrMost = () => options.size() ?? SIZE_BEFORE_DRAWN;
    if (session.request.tty && this.#replaying) {
      const text = new ScreenText(sizeOrMost);
      this.#text = text;
      this.#retained = this.#disposables.add(this.#retainedScreen(text, options));
    } else {
      this.#text = terminalText(session.request.tty, sizeOrMost);
    }
    this.#text.report(false);
    this.#marks = options.marks && new OutputMarks(options.marks);
    this.#endText = options.endText;
    this.#write(() => this.#marks?.begin() ?? '');
    this.#subscription = this.#disposables.add(
      session.process.subscribe({ windowBytes: options.windowBytes }, (event) =>
        this.#retained === undefined ? this.#take(event) : this.#retained.take(event),
      ),
    );
  }

  /** The number of times that the program has asked this terminal's emulator where the cursor is. */
  get cursorQueries(): number {
    return this.#text.cursorQueries;
  }

  /** Sets whether this terminal's emulator speaks to the program. */
  setPrimary(primary: boolean): void {
    this.#primary = primary;
    this.#write(() => this.#report());
  }

  /** Writes a line of our own between the output. */
  notice(text: string): void {
    this.insert(noticeLine(text));
  }

  /** Writes text of our own between the output. */
  insert(text: string): void {
    this.#write(() => (this.#retained?.active === true ? text : this.#text.insert(text)));
  }

  /** Asks the emulator a question of our own, unless the emulator then waits for the rest of a string. */
  ask(question: () => string): void {
    this.#write(() => (this.#text.open ? '' : question()));
  }

  /** Shows nothing more of the session. Output that the writer already has is still written. */
  dispose(): void {
    this.#disposables.dispose();
  }

  #retainedScreen(text: ScreenText, { replays, size, unicode }: ReplayOptions): RetainedScreen {
    return new RetainedScreen({
      text,
      size,
      through: this.#replayThrough,
      turns: replays,
      marks: true,
      unicode,
      gapLine: (gap) => noticeLine(gapNotice(gap, this.#l10n)),
      tooSlowLine: () =>
        noticeLine(this.#l10n.t('earlier output takes too long to draw and is not shown here')),
      imageMark: this.#l10n.t('[image]'),
      acknowledge: (seq) => this.#subscription.acknowledge(seq),
      ended: (end) => this.#endReplay(end),
      later: (event) => this.#take(event),
    });
  }

  #endReplay({ text, incomplete }: ReplayEnd): void {
    this.#replaying = false;
    this.#writer.write({
      size: text.length,
      render: () => {
        const output = { text, safePlace: text.length };
        const marked = this.#marks?.pass(output, text.length, this.#text.fullScreen) ?? output;
        return { text: marked.text + this.#report() };
      },
      written: () => this.#noteTitle(),
    });
    if (incomplete) {
      this.#listener.incomplete();
    }
  }

  #take(event: ExecEvent): void {
    switch (event.type) {
      case 'output':
        this.#output(event);
        break;
      case 'gap':
        this.#write(
          () =>
            this.#text.skip(noticeLine(gapNotice(event, this.#l10n)), event.modes) +
            this.#replayed(event.throughSeq),
        );
        this.#listener.incomplete();
        break;
      case 'exited':
        this.#write(() => this.#replayed(event.seq));
        this.#sayIfItStaysOpen();
        break;
      case 'closed':
      case 'failed':
        this.#disposables.dispose();
        this.#end();
        break;
    }
  }

  #output({ seq, stream, bytes }: OutputEvent): void {
    const pieces = slices(bytes);
    for (const [index, piece] of pieces.entries()) {
      const last = index === pieces.length - 1;
      this.#writer.write({
        size: piece.byteLength,
        render: () => {
          const answering = seq > this.#replayThrough && this.#listener.claim(seq);
          const output = this.#text.write(stream, piece, answering);
          const { text, safePlace } =
            this.#marks?.pass(output, piece.byteLength, this.#text.fullScreen) ?? output;
          return { text: last ? text + this.#replayed(seq) : text, safePlace };
        },
        written: () => {
          if (last) {
            this.#subscription.acknowledge(seq);
          }
          this.#noteTitle();
        },
      });
    }
  }

  /** Ends the replay when `seq` reaches its last number: from then on the emulator may speak without being asked. */
  #replayed(seq: number): string {
    if (!this.#replaying || seq < this.#replayThrough) {
      return '';
    }
    this.#replaying = false;
    return this.#report();
  }

  #report(): string {
    return this.#text.report(this.#primary && !this.#replaying);
  }

  #sayIfItStaysOpen(): void {
    const timer = this.#clock.after(TERMINAL_CLOSE_GRACE_MS, () => {
      this.notice(openNotice(this.#session.snapshot(), this.#l10n));
    });
    this.#disposables.add(timer);
  }

  #end(): void {
    this.#writer.write({
      size: 0,
      render: () => ({
        text: this.#text.finish() + this.#endMark() + noticeLine(this.#endText(this.#session.snapshot())),
      }),
      written: () => {
        this.#noteTitle();
        this.#listener.ended();
      },
    });
  }

  #endMark(): string {
    return this.#marks?.end(this.#session.snapshot().exit?.exitCode) ?? '';
  }

  #noteTitle(): void {
    if (this.#text.title !== this.#title) {
      this.#title = this.#text.title;
      this.#listener.titleChanged(this.#title);
    }
  }

  #write(render: () => string): void {
    this.#writer.write({ size: 0, render: () => ({ text: render() }) });
  }
}
