import type { ExecProcess } from './execBackend.js';
import type { KeptOptions, KeptOutput, ReadOptions, ReadResponse } from './execEvents.js';
import type { RetainedOutput } from './keptReader.js';

/** The bytes of one reading where the caller has no bound. */
const PAGE_BYTES = 256 * 1024;

/** The output that is kept of processes that no backend has any more, by the names that their servers gave them. */
export interface PastOutputs {
  /** The names of the processes of which there may be some. Never rejects. */
  names(): Promise<ReadonlySet<string>>;
  /** Reads a part of it; nothing of a process of which none is kept. Never rejects. */
  read(name: string, options: KeptOptions): Promise<KeptOutput>;
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
