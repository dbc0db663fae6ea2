import type { LogLimits, ProcessLog } from '../../core/index.js';
import { CREDIT_WINDOW_BYTES } from '../limits.js';

/** The part of a log that the window may fill. */
const PART_OF_LOG = 3 / 4;

/** The part of the window that is used up before an acknowledgement, so that one message serves many chunks. */
const STEP = 1 / 4;

/**
 * The window to request from a server, in bytes, if the output goes into a log of these limits. While all readers here
 * are slow, everything under way still arrives, and the log has to keep it for them. That is the whole window, and the
 * rest of the chunk that has filled it.
 */
export function creditWindow(limits: LogLimits): number {
  return Math.min(CREDIT_WINDOW_BYTES, Math.ceil(limits.bytes * PART_OF_LOG));
}

/**
 * Acknowledges the output of a process to a server that limits unacknowledged output. It does so as soon as output
 * arrives, unless all readers here are slow. A slow terminal therefore holds back only its own process.
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
