import { Alarm, type Clock, type Disposable, type TerminalSize } from '../../core/index.js';

/** https://invisible-island.net/xterm/ctlseqs/ctlseqs.html, XTWINOPS */
const QUESTION = '\u001b[18t';
const ANSWER = /\u001b\[8;(\d+);(\d+)t/;

/**
 * The time before a question, in milliseconds: VS Code gives an emulator with many lines its new width 100 ms after the
 * new height (terminalResizeDebouncer.ts).
 */
export const DRAWN_MS = 250;

/**
 * Finds out what size the emulator of a terminal has, by asking it. VS Code tells an extension of every change but one:
 * a terminal that was created hidden, as after a reload, has 80 columns and 30 rows, and when it is shown the first time
 * it may get the size of the terminal beside it with nothing said (`_setLastKnownColsAndRows` in terminalInstance.ts).
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
    /** Has the question made and given to the emulator, as soon as it is its turn; never, if that is no moment for it. */
    ask: (question: () => string) => void;
    /** The size that is known. */
    known: () => TerminalSize | undefined;
    /** Gets the emulator's size where it is another one. */
    changed: (size: TerminalSize) => void;
  }) {
    this.#alarm = new Alarm(options.clock);
    this.#ask = options.ask;
    this.#known = options.known;
    this.#changed = options.changed;
  }

  /** Asks as soon as the emulator has had the time to be drawn, and again until its answer is nothing new. */
  look(): void {
    this.#alarm.set(DRAWN_MS, () => {
      this.#ask(() => {
        this.#asked += 1;
        return QUESTION;
      });
    });
  }

  /**
   * Takes what the terminal sends, and returns it without answers to this. A program may ask the same: the emulator
   * answers in order, and the same to both, so each gets as many answers as it has asked questions.
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
