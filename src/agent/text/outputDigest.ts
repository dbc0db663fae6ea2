import type { OutputEvent } from '../../core/index.js';

import type { Cursor } from './cursor.js';
import { Excerpt } from './excerpt.js';
import { LineRuns } from './lineRuns.js';
import { FULL_SCREEN_PIECES } from './notes.js';
import { Turns } from './steps.js';
import { OutputLines, type TextOptions } from './outputLines.js';
import { budgetBytes, tokensOfBytes } from './tokens.js';
import type { TextGap } from './sizedGap.js';

interface DigestOptions extends TextOptions {
  readonly maxTokens: number;
  /** The cursor at which the digest begins. Events before it are ignored. */
  readonly from: Cursor;
}

interface FinishOptions {
  readonly final: boolean;
  readonly goneThrough?: () => number;
}

export interface Digest {
  /** At most `4 * max(maxTokens, MIN_TOKENS)` bytes of UTF-8. Ends with a line end if the last line does. */
  readonly text: string;
  /** The estimate for the raw bytes that were digested. */
  readonly originalTokens: number;
  /** The cursor to continue from: before an incomplete character or escape sequence at the end, if there is one. */
  readonly next: Cursor;
  /** Whether lines were left out of the text. */
  readonly leftOut: boolean;
  /** The number of bytes that were digested. */
  readonly bytes: number;
  /** Whether a full-screen program has the terminal at `next`. */
  readonly fullScreen: boolean;
}

const PIECES_NOTE = `${FULL_SCREEN_PIECES}\n`;

/** Makes one text within a budget out of any amount of output, in memory that the budget bounds. */
export class OutputDigest {
  readonly #excerpt: Excerpt;
  readonly #runs: LineRuns;
  readonly #lines: OutputLines;
  readonly #turns = new Turns();
  /** Resolves when all pushed output has been parsed. */
  #parsed: Promise<void> = Promise.resolve();

  constructor(options: DigestOptions) {
    const forNote = options.fullScreen === true ? PIECES_NOTE.length : 0;
    this.#excerpt = new Excerpt(budgetBytes(options.maxTokens) - forNote);
    this.#runs = new LineRuns((item) => this.#excerpt.add(item), {
      emitBlock: (block) => this.#excerpt.addBlock(block),
    });
    this.#lines = new OutputLines(this.#runs, options);
  }

  /** Takes output in the order of its numbers. Parses it later, a little in each turn of the event loop. */
  push(event: OutputEvent | TextGap): void {
    this.#parsed = this.#parsed.then(async () => {
      await this.#turns.run(this.#lines.push(event));
    });
  }

  /** Resolves when all pushed output has been parsed; if that took a whole turn, in a later one of the event loop. */
  async drained(): Promise<void> {
    await this.#parsed;
    await this.#turns.pauseIfOver();
  }

  /**
   * Ends the digest: nothing may be pushed afterwards.
   *
   * @param final Whether the output is over, so that nothing can complete a split character.
   * @param goneThrough Gives the highest number of the output that the log has let go, for the notes about it.
   */
  async finish({ final, goneThrough = () => 0 }: FinishOptions): Promise<Digest> {
    await this.#parsed;
    const next = this.#lines.finish(final);
    this.#runs.flush();
    this.#lines.dispose();
    const { bytes, fullScreen, pieces } = this.#lines;
    const { text, leftOut } = this.#excerpt.finish(goneThrough());
    return {
      text: pieces && text !== '' ? PIECES_NOTE + text : text,
      leftOut,
      fullScreen,
      originalTokens: tokensOfBytes(bytes),
      next,
      bytes,
    };
  }
}
