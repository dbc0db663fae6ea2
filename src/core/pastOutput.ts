import type { ExecProcess } from './execBackend.js';
import type { KeptOptions, KeptOutput, ReadOptions, ReadResponse } from './execEvents.js';
import type { RetainedOutput } from './keptReader.js';
import type { EndedReceipt } from './receipts/index.js';

/** The bytes of one reading where the caller has no bound. */
const PAGE_BYTES = 256 * 1024;

/** The output that is kept of processes that no backend has any more, by the names that their servers gave them. */
export interface PastOutputs {
  /** The names of the processes of which there may be some. Never rejects. */
  names(): Promise<ReadonlySet<string>>;
  /** Reads a part of it; nothing of a process of which none is kept. Never rejects. */
  read(name: string, options: KeptOptions): Promise<KeptOutput>;
  /** How much the process had printed up to the end of what is kept; undefined if none is. Never rejects. */
  through(name: string): Promise<PrintedAmount | undefined>;
}

/** How much a process had printed up to some place. */
export interface PrintedAmount {
  /** As far as it is known. */
  readonly bytes: number;
  /** How many pieces were missing of which nobody knows the size, and that are not counted. */
  readonly unknownGaps: number;
}

/** What is missing at the end of an output: at least so many bytes, which may be 0, or just as many. */
export interface MissingEnd {
  readonly bytes: number;
  readonly atLeast: boolean;
}

/**
 * What is missing at the end of such a process's output: a server that is killed has not written all that it had read, nor
 * does one whose disk is full. Its receipt has the number of all bytes if it knows of the end. Never rejects.
 *
 * @returns undefined if nothing is missing there, or nothing is kept at all.
 */
export async function missingEnd(
  outputs: PastOutputs,
  receipt: Pick<EndedReceipt, 'id' | 'end' | 'bytes' | 'outputOpen'>,
): Promise<MissingEnd | undefined> {
  const kept = await outputs.through(receipt.id);
  if (kept === undefined) {
    return undefined;
  }
  const bytes = Math.max(0, receipt.bytes - kept.bytes);
  if (receipt.end.kind === 'lost' || receipt.outputOpen === true) {
    return { bytes: kept.unknownGaps > 0 ? 0 : bytes, atLeast: true };
  }
  if (bytes === 0) {
    return undefined;
  }
  // What is missing elsewhere may be all of it.
  return kept.unknownGaps > 0 ? { bytes: 0, atLeast: true } : { bytes, atLeast: false };
}

/** Reads the output of such a process as that of one that has closed. */
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

/** Reads all that is kept of such a process behind a number, page by page; nothing is in two pages. */
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
      // What is missing behind the last chunk is missing before the next one as well.
      missing: missing.filter(({ fromSeq }) => last === undefined || fromSeq < last),
    });
    if (last === undefined) {
      return;
    }
    afterSeq = last;
  }
}
