import {
  Alarm,
  type Clock,
  DEFAULT_TERMINAL_SIZE,
  type Disposable,
  type TerminalSize,
} from '../../core/index.js';

/** https://invisible-island.net/xterm/ctlseqs/ctlseqs.html, XTWINOPS */
const QUESTION = '\u001b[18t';
const ANSWER = /\u001b\[8;(\d+);(\d+)t/;

/**
 * The time before a question, in milliseconds: VS Code gives an emulator with many lines its new width 100 ms after the
 * new height (terminalResizeDebouncer.ts).
 */
export const DRAWN_MS = 250;

/**
 * Asks the emulator of a terminal for its size. VS Code reports every change but one. A terminal that was created
 * hidden, as after a reload, has 80 columns and 30 rows. When it is first shown, it may silently get the size of the
 * terminal beside it (`_setLastKnownColsAndRows` in terminalInstance.ts).
 */
export class EmulatorSize implements Disposable {
  readonly #alarm: Alarm;
  readonly #ask: (question: () => string) => void;
  readonly #known: () => TerminalSize | undefined;
  readonly #changed: (size: TerminalSize) => void;
  /** The number of questions that were not answered yet. */
  #asked = 0;

  constructor(options: {
    clock: Clock;
    /** Gives the question to the emulator when its turn comes; never if that is a bad moment. */
    ask: (question: () => string) => void;
    /** The size that is known. */
    known: () => TerminalSize | undefined;
    /** Called with the emulator's size if it differs. */
    changed: (size: TerminalSize) => void;
  }) {
    this.#alarm = new Alarm(options.clock);
    this.#ask = options.ask;
    this.#known = options.known;
    this.#changed = options.changed;
  }

  /** Asks as soon as the emulator has had the time to be drawn, and again until the answer stays the same. */
  look(): void {
    this.#alarm.set(DRAWN_MS, () => {
      this.#ask(() => {
        this.#asked += 1;
        return QUESTION;
      });
    });
  }

  /**
   * Takes the text that the terminal sends, and returns it without answers to our questions. A program may ask the same
   * question. The emulator gives both the same answer in order, so each gets one answer for each question.
   */
  take(input: string): string {
    let rest = input;
    while (this.#asked > 0) {
      const [answer, rows, columns] = ANSWER.exec(rest) ?? [];
      if (answer === undefined) {
        break;
      }
      this.#asked -= 1;
      rest = rest.replace(answer, '');
      this.#answered({ columns: Number(columns), rows: Number(rows) });
    }
    return rest;
  }

  dispose(): void {
    this.#alarm.dispose();
  }

  #answered(size: TerminalSize): void {
    const known = this.#known();
    if (known?.columns !== size.columns || known.rows !== size.rows) {
      this.#changed(size);
      this.look();
    }
  }
}

/** The most columns or rows of a terminal that is drawn. No screen has more, and VS Code can draw far more. */
const MOST_CELLS = 1_000;

/** The size that a server names, if a terminal can be drawn in it; otherwise the default. */
export function drawableSize(size: TerminalSize | undefined): TerminalSize {
  const drawable = (cells: number) => Number.isInteger(cells) && cells >= 1 && cells <= MOST_CELLS;
  return size !== undefined && drawable(size.columns) && drawable(size.rows) ? size : DEFAULT_TERMINAL_SIZE;
}
