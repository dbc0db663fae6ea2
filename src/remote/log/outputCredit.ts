import type { ProcessLog } from '../../core/index.js';

/** How much of the window is used up before the server is told that there is room again: one message for many. */
const STEP = 1 / 4;

/**
 * Tells a server that gives each process its own credit how far its output has been dealt with: as far as it came,
 * unless everybody here who reads it is slow. So a slow terminal holds back its own process, and no other.
 */
export class OutputCredit {
  readonly #log: ProcessLog;
  readonly #step: number;
  readonly #acknowledge: (throughSeq: number) => void;
  #seq = 0;
  #bytes = 0;

  constructor(log: ProcessLog, windowBytes: number, acknowledge: (throughSeq: number) => void) {
    this.#log = log;
    this.#step = windowBytes * STEP;
    this.#acknowledge = acknowledge;
    log.onFlow((paused) => {
      if (!paused) {
        this.#tell();
      }
    });
  }

  /** The log has taken output. */
  received(seq: number, bytes: number): void {
    this.#seq = seq;
    this.#bytes += bytes;
    if (this.#bytes >= this.#step && !this.#log.paused) {
      this.#tell();
    }
  }

  /** There is another connection, which may not know what the one before was told. */
  resume(): void {
    this.#bytes += this.#seq > 0 ? 1 : 0;
    if (!this.#log.paused) {
      this.#tell();
    }
  }

  #tell(): void {
    if (this.#bytes > 0) {
      this.#bytes = 0;
      this.#acknowledge(this.#seq);
    }
  }
}
