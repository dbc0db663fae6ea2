import type { TerminalSize } from '../process/terminalSize.js';

/** Follows the modes that output gives to a terminal. */
export interface ModesReader {
  /** Takes output, in order. */
  take(bytes: Uint8Array): void;
  /** Goes on from the modes that these sequences give to a fresh terminal. */
  restart(sequences: string): void;
  /** The sequences that give a fresh terminal the modes after that output. */
  readonly sequences: string;
}

/** The most ranges of missing output whose modes are remembered; each is a stall or a cut. */
const MOST_MISSING = 100;

interface SizeFrom {
  readonly seq: number;
  readonly size: TerminalSize;
}

/**
 * Knows the sizes for which the output of a terminal was written, and the modes in force where the retained output
 * begins. Modes are read from the output that is evicted, so output that is retained costs nothing.
 */
export class TerminalHistory {
  readonly #modes: ModesReader | undefined;
  #size: TerminalSize | undefined;
  /** The sizes, each with the number of the first output at that size, oldest first. */
  #sizes: SizeFrom[] = [];
  /** The modes after missing output that is not evicted yet, oldest first. */
  #missing: { readonly throughSeq: number; readonly modes: string }[] = [];

  constructor(modes: ModesReader | undefined) {
    this.#modes = modes;
  }

  /** Notes the size of the terminal. Only the last size before the next output counts. */
  resized(size: TerminalSize): void {
    this.#size = size;
  }

  /** Notes that there is output with this number; returns the size of the terminal if it has changed. */
  output(seq: number): TerminalSize | undefined {
    const last = this.#sizes.at(-1)?.size;
    const size = this.#size;
    if (size === undefined || (last?.columns === size.columns && last.rows === size.rows)) {
      return undefined;
    }
    this.#sizes.push({ seq, size });
    return size;
  }

  /** The size to be told with the output of this number; see `OutputChunk`. */
  sizeFrom(seq: number, oldest: boolean): TerminalSize | undefined {
    const from = this.#sizes.findLast((entry) => entry.seq <= seq);
    return from !== undefined && (oldest || from.seq === seq) ? from.size : undefined;
  }

  /** Notes output that never reached the log, and the modes in force after it. */
  missing(throughSeq: number, modes: string): void {
    this.#missing = [...this.#missing.slice(1 - MOST_MISSING), { throughSeq, modes }];
  }

  /** Takes the output with this number, which is evicted. */
  evicted(seq: number, bytes: Uint8Array): void {
    this.#passMissing(seq);
    this.#modes?.take(bytes);
    while (this.#sizes[1] !== undefined && this.#sizes[1].seq <= seq + 1) {
      this.#sizes.shift();
    }
  }

  /**
   * The modes in force after a gap that ends with this number; undefined if they are unknown.
   *
   * @param evictedThrough The highest evicted number.
   */
  modesAfter(throughSeq: number, evictedThrough: number): string | undefined {
    const missing = this.#missing.findLast((range) => range.throughSeq === throughSeq);
    return missing?.modes ?? (throughSeq === evictedThrough ? this.#modes?.sequences : undefined);
  }

  /** Takes the modes after missing output that comes before this number. */
  #passMissing(seq: number): void {
    for (
      let first = this.#missing[0];
      first !== undefined && first.throughSeq < seq;
      first = this.#missing[0]
    ) {
      this.#modes?.restart(first.modes);
      this.#missing.shift();
    }
  }
}
