import {
  type Clock,
  type ExecProcess,
  type KeptOutput,
  metadataIn,
  type MetadataPatch,
  NOTHING_KEPT,
  type Subscription,
} from '../../core/index.js';
import { type OutputFolder, systemReason } from '../../machine/index.js';
import type { DiskLimits } from './diskLimits.js';
import { OutputFile } from './outputFile.js';

export interface KeptProcessOptions {
  readonly clock: Clock;
  readonly folder: OutputFolder;
  readonly limits: DiskLimits;
  readonly onWritten: () => void;
  readonly log: (line: string) => void;
}

/**
 * Decides whether the output of one process is on disk, by its metadata. With `keepOutput` a client says what it wants.
 * The metadata have the outcome as well. The key `outputKept` is true as long as the output is kept. The key
 * `keepOutputEnded: {reason}` says that it could not be written any more. A client that wants it again after that
 * removes that key.
 */
export class KeptProcess {
  readonly #process: ExecProcess;
  readonly #options: KeptProcessOptions;
  #file: OutputFile | undefined;
  #subscription: Subscription | undefined;
  /** `failing`: no client has been told yet. */
  #state: 'off' | 'on' | 'ended' | 'failing' | 'failed' = 'off';
  #since = 0;
  /** The files so far. */
  #files = 0;

  /** @param process Is released when it is removed. */
  constructor(process: ExecProcess, options: KeptProcessOptions) {
    this.#process = process;
    this.#options = options;
    this.look();
  }

  /** The time at which the output on disk begins, in milliseconds since 1970, if more may be added. */
  get writtenSince(): number | undefined {
    return this.#state === 'on' ? this.#since : undefined;
  }

  /** Looks whether its output is wanted. */
  look(): void {
    const { metadata } = this.#process.info();
    const wanted = metadataIn(metadata, 'keepOutput') ?? this.#options.limits.keep;
    const mayBegin =
      this.#state === 'off' ||
      (this.#state === 'failed' && metadataIn(metadata, 'keepOutputEnded') === undefined);
    if (wanted && mayBegin) {
      this.#forget();
      this.#begin();
    } else if (!wanted && this.#state !== 'off') {
      this.#forget();
      this.#state = 'off';
      this.#tellNotKept();
    }
  }

  async read(afterSeq: number, maxBytes: number): Promise<KeptOutput> {
    // Without its files nothing can be read, whatever has removed them.
    return (await this.#file?.read(afterSeq, maxBytes).catch(() => undefined)) ?? NOTHING_KEPT;
  }

  /** Removes the output on disk. If it is still written, later output is kept again. Never rejects. */
  async drop(): Promise<void> {
    const file = this.#file;
    if (this.#state === 'on') {
      this.#since = this.#options.clock.wallTime();
      await file?.restart().catch(this.#onNotRemoved);
    } else {
      this.#forget();
      this.#tellNotKept();
    }
  }

  /** Writes all output up to now. No output is written after that. */
  async end(): Promise<void> {
    this.#subscription?.dispose();
    await this.#file?.end();
  }

  /** The process is forgotten, and with it the output on disk. */
  remove(): void {
    this.#forget();
    this.#state = 'off';
    this.#process.release();
  }

  #forget(): void {
    this.#subscription?.dispose();
    const file = this.#file;
    this.#file = undefined;
    file?.remove().catch(this.#onNotRemoved);
  }

  #begin(): void {
    const { clock, folder, limits, onWritten } = this.#options;
    this.#state = 'on';
    this.#since = clock.wallTime();
    try {
      folder.make();
    } catch (error) {
      this.#fail(error);
      return;
    }
    const file = new OutputFile({
      // The earlier files may still be waiting for their removal.
      nextFile: () => folder.fileFor(this.#process.processId, this.#files++),
      mostBytes: () => limits.bytes,
      clock,
      onWritten,
      onFailure: (error) => this.#fail(error),
    });
    this.#file = file;
    // If the metadata have no room for it, clients cannot see it, but the output is kept.
    void this.#process.describe({ outputKept: true } satisfies MetadataPatch).catch(() => undefined);
    this.#subscription = this.#process.subscribe({ borrows: true, passive: true }, (event) => {
      if (event.type === 'output' || event.type === 'gap') {
        file.append(event);
      } else if (event.type === 'closed' && this.#state === 'on') {
        this.#state = 'ended';
        void this.end();
      }
    });
  }

  readonly #onNotRemoved = (error: unknown): void => {
    this.#say('cannot be removed from the disk', error);
  };

  #fail(error: unknown): void {
    this.#subscription?.dispose();
    this.#state = 'failing';
    const reason = this.#say('is not kept on disk any more', error);
    void this.#process
      .describe({ keepOutputEnded: { reason }, outputKept: null } satisfies MetadataPatch)
      // The metadata may have no room for it. Then no client is told, and writing does not begin again.
      .then(() => (this.#state = 'failed'))
      .catch(() => undefined);
  }

  #tellNotKept(): void {
    void this.#process.describe({ outputKept: null } satisfies MetadataPatch).catch(() => undefined);
  }

  #say(what: string, error: unknown): string {
    const reason = systemReason(error);
    this.#options.log(`The output of ${this.#process.processId} ${what}: ${reason}`);
    return reason;
  }
}
