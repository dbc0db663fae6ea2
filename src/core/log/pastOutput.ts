import type { ExecProcess } from '../process/execBackend.js';
import type { KeptOptions, KeptOutput, ReadOptions, ReadResponse } from '../process/execEvents.js';
import type { RetainedOutput } from './keptReader.js';
import type { EndedReceipt } from '../receipts/receipt.js';

/** The bytes of one read if the caller sets no bound. */
const PAGE_BYTES = 256 * 1024;

/** The kept output of processes that no backend has any more, by the names that their servers gave them. */
export interface PastOutputs {
  /** The names of the processes that may have kept output. Never rejects. */
  names(): Promise<ReadonlySet<string>>;
  /** Reads a part of it; the answer is empty for a process without kept output. Never rejects. */
  read(name: string, options: KeptOptions): Promise<KeptOutput>;
  /**
   * How much the process had printed up to the end of its kept output; undefined without kept output. Never rejects.
   */
  through(name: string): Promise<PrintedAmount | undefined>;
}

/** How much a process had printed up to some place. */
export interface PrintedAmount {
  /** Absent if unknown: a piece of unknown size is missing. */
  readonly bytes?: number;
}

/** The part that is missing at the end of an output. Without `bytes` it is unknown, and may be nothing. */
export interface MissingEnd {
  readonly bytes?: number;
}

/**
 * The part that is missing at the end of such a process's output. A killed server has not written everything it had
 * read, nor has one with a full disk. The receipt has the number of all bytes if it knows of the end. Never rejects.
 *
 * @returns undefined if nothing is missing there, or no output is kept at all.
 */
export async function missingEnd(
  outputs: PastOutputs,
  receipt: Pick<EndedReceipt, 'id' | 'end' | 'bytes' | 'outputOpen'>,
): Promise<MissingEnd | undefined> {
  const kept = await outputs.through(receipt.id);
  if (kept === undefined) {
    return undefined;
  }
  if (receipt.end.kind === 'lost' || receipt.outputOpen === true || kept.bytes === undefined) {
    return {};
  }
  const bytes = receipt.bytes - kept.bytes;
  return bytes > 0 ? { bytes } : undefined;
}

/** Reads the output of such a process like that of a closed one. */
export function pastReader(outputs: PastOutputs, name: string): Pick<ExecProcess, 'read'> {
  return {
    read: async ({ afterSeq = 0, maxBytes = PAGE_BYTES }: ReadOptions = {}): Promise<ReadResponse> => {
      const { chunks, missing } = await outputs.read(name, { afterSeq, maxBytes });
      const lastSeq = chunks.at(-1)?.seq ?? afterSeq;
      return {
        chunks,
        nextSeq: lastSeq + 1,
        exited: true,
        closed: true,
        ...(missing.length > 0 && { missing }),
      };
    },
  };
}

/** Reads all kept output of such a process after a number, page by page; the pages do not overlap. */
export async function readPast(
  outputs: PastOutputs,
  name: string,
  take: (page: RetainedOutput) => unknown,
  behind = 0,
): Promise<void> {
  for (let afterSeq = behind; ;) {
    const { chunks, missing } = await outputs.read(name, { afterSeq, maxBytes: PAGE_BYTES });
    const last = chunks.at(-1)?.seq;
    await take({
      chunks,
      // A range that is missing after the last chunk is missing before the next chunk as well.
      missing: missing.filter(({ fromSeq }) => last === undefined || fromSeq < last),
    });
    if (last === undefined) {
      return;
    }
    afterSeq = last;
  }
}
