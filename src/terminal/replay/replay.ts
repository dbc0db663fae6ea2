import type { TerminalSize } from '../../core/index.js';

import { HeadlessTerminal } from '../headless.js';

import { PlacedMarks } from './placedMarks.js';
import { screenText } from './screenText.js';

/** The most rows above the screen that a replay brings back. */
const SCROLLBACK = 1_000;

interface ReplayOptions {
  readonly size: TerminalSize;
  /** Whether command marks are part of the replay. They are for VS Code only. */
  readonly marks: boolean;
  /** The viewer's table of cell widths. */
  readonly unicode?: '6' | '11' | undefined;
}

/** Turns output that was kept into the text that brings a viewer to the state after it. */
export class Replay {
  readonly #headless: HeadlessTerminal;
  readonly #marks: PlacedMarks | undefined;

  constructor({ size, marks, unicode }: ReplayOptions) {
    this.#headless = new HeadlessTerminal({ ...size, scrollback: SCROLLBACK, unicode });
    this.#marks = marks ? new PlacedMarks(this.#headless.terminal) : undefined;
  }

  /** The output that follows was written for this size. */
  resize({ columns, rows }: TerminalSize): void {
    this.#headless.terminal.resize(columns, rows);
  }

  /** @param text Output that a filter has made fit for an emulator. */
  write(text: string): void {
    this.#headless.write(text);
  }

  /**
   * Returns the text for a fresh emulator of this size. Nothing can be written after it.
   *
   * @param modes The sequences that set the modes, except for the alternate screen.
   */
  text(size: TerminalSize | undefined, modes: string): string {
    if (size !== undefined) {
      this.resize(size);
    }
    return screenText(this.#headless, modes, this.#marks?.byRow());
  }

  dispose(): void {
    this.#headless.terminal.dispose();
  }
}
