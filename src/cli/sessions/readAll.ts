import type { ExecProcess, OutputChunk } from '../../core/index.js';

/** Reads everything that is retained of a process's output. */
export async function readAll(process: ExecProcess): Promise<readonly OutputChunk[]> {
  const chunks: OutputChunk[] = [];
  // What a process of another client has written before comes over the wire first.
  const { lastSeq } = process.info().output;
  for (let afterSeq = 0; afterSeq < lastSeq;) {
    const answer = await process.read({ afterSeq, waitMs: READ_WAIT_MS });
    chunks.push(...answer.chunks);
    if (answer.nextSeq - 1 <= afterSeq) {
      break;
    }
    afterSeq = answer.nextSeq - 1;
  }
  return chunks;
}

/** The time for output that is on its way. */
const READ_WAIT_MS = 5_000;
