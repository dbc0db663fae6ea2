import type { ProcessLog } from '../../core/index.js';

/** The part of the window that is used up before an acknowledgement, so that one message serves many chunks. */
const STEP = 1 / 4;

/**
 * Acknowledges the output of a process to a server that limits the unacknowledged output of each process: as soon as it
 * arrives, unless all its readers here are slow. So a slow terminal holds back its own process, and no other.
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

  /** Notes that the log has taken output. */
  received(seq: number, bytes: number): void {
    this.#seq = seq;
    this.#bytes += bytes;
    if (this.#bytes >= this.#step && !this.#log.paused) {
      this.#tell();
    }
  }

  /** Acknowledges again on another connection, since the last acknowledgement may have been lost. */
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
