import type { EndedReceipt, ProcessIdentity, StopReport } from '../../core/index.js';
import type { Leftover } from '../../machine/index.js';
import type { MachineModule } from './sessionServer.js';

/** What is known on this machine of sessions that have ended, whichever server they were of. */
export class Earlier {
  readonly #load: () => Promise<MachineModule>;
  readonly #wanted: () => boolean;

  /** @param wanted Whether the user wants receipts. */
  constructor(load: () => Promise<MachineModule>, wanted: () => boolean) {
    this.#load = load;
    this.#wanted = wanted;
  }

  /**
   * The receipts, the newest end first.
   *
   * @throws Error if they cannot be read.
   */
  async receipts(): Promise<readonly EndedReceipt[]> {
    if (!this.#wanted()) {
      return [];
    }
    return (await this.#load()).readOwnReceipts();
  }

  /** @throws Error if they cannot be removed. */
  async remove(receipts: readonly EndedReceipt[]): Promise<void> {
    const { receiptPlace, removeReceipts } = await this.#load();
    const place = receiptPlace(process.env);
    if (place !== undefined) {
      await removeReceipts(
        place,
        receipts.map(({ id }) => id),
      );
    }
  }

  /**
   * The processes that sessions have left running.
   *
   * @throws Error if they cannot be found.
   */
  async leftovers(): Promise<readonly Leftover[]> {
    return (await this.#load()).findLeftovers(process.env, Date.now());
  }

  /** Ends one of them, and no other process that has its number by now. */
  async end(leftover: ProcessIdentity): Promise<StopReport> {
    return (await this.#load()).endProcess(leftover);
  }
}
