import { NO_PLACE } from '../startError.js';
import type { MakeRecord, Outcome } from './receiptWriter.js';

/** Takes the place of the file of receipts of a user who has no place for what programs keep. */
export class NoPlaceForReceipts {
  /** Whether receipts are wanted, which nobody else can be told. */
  on = true;
  #told = false;
  readonly #log: (line: string) => void;

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  write(_: MakeRecord, outcome: Outcome): void {
    if (!this.#told) {
      this.#log(`Receipts cannot be written: ${NO_PLACE}`);
    }
    outcome({ reason: NO_PLACE, first: !this.#told });
    this.#told = true;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
