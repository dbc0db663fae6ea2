import type {
  EndedReceipt,
  ProcessIdentity,
  StopOptions,
  StopReport,
  Forgotten,
  Sighting,
} from '../../core/index.js';
import type { OutputFolder, ListeningProcess } from '../../machine/index.js';
import { readPastOutput, type SessionOutput } from '../output/sessionOutput.js';
import type { MachineModule } from './sessionServer.js';

/** The facts on this machine about ended sessions of any server, and about processes that are no sessions. */
export class Earlier {
  readonly #load: () => Promise<MachineModule>;
  readonly #wanted: () => boolean;
  #outputFolder: OutputFolder | undefined;

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

  /**
   * Removes receipts, and the output on disk of their sessions.
   *
   * @param isListed Whether the session with this id is in a list, so that its server has its output.
   * @throws Error if they cannot be removed.
   */
  async remove(receipts: readonly EndedReceipt[], isListed: (sessionId: string) => boolean): Promise<void> {
    const { receiptPlace, removeReceipts } = await this.#load();
    const place = receiptPlace(process.env);
    if (place !== undefined) {
      await removeReceipts(place, new Set(receipts.map(({ id }) => id)), Date.now());
    }
    const gone = receipts.filter(({ sessionId }) => !isListed(sessionId));
    await (await this.#outputs()).removeOf(new Set(gone.map(({ id }) => id)));
  }

  /** The ids of the receipts whose sessions have output on disk, and other ids. */
  async withOutput(): Promise<ReadonlySet<string>> {
    return (await this.#outputs()).names();
  }

  /**
   * The output on disk of a session, by the id of its receipt.
   *
   * @param known The receipt, if the caller has it.
   */
  async output(receiptId: string, known?: EndedReceipt): Promise<SessionOutput> {
    const receipts = known === undefined ? await this.receipts().catch(() => []) : [known];
    const receipt = receipts.find(({ id }) => id === receiptId);
    return readPastOutput(await this.#outputs(), receiptId, receipt);
  }

  /**
   * The processes that sessions have left running, and those sightings whose agent has ended.
   *
   * @param unread Called with the reason if some may be missing, since the receipts cannot be read.
   * @throws Error if they cannot be found.
   */
  async forgotten(
    sightings: readonly Sighting[],
    unread: (reason: string) => void,
  ): Promise<readonly Forgotten[]> {
    return (await this.#load()).findForgotten(sightings, process.env, Date.now(), unread);
  }

  /** The processes that listen at a port, sessions or not; undefined if this system cannot name them. */
  async processesAt(port: number): Promise<readonly ListeningProcess[] | undefined> {
    return (await this.#load()).processesAt(port);
  }

  /** Ends a process, but not another one that has its number by now. */
  async end(identity: ProcessIdentity): Promise<StopReport> {
    return (await this.#load()).endProcess(identity);
  }

  /** As {@link end}, with everything below it. */
  async endTree(root: ProcessIdentity, options: StopOptions): Promise<StopReport> {
    return (await this.#load()).endTree(root, options);
  }

  async #outputs(): Promise<OutputFolder> {
    const { OutputFolder } = await this.#load();
    this.#outputFolder ??= OutputFolder.of(process.env);
    return this.#outputFolder;
  }
}
