import type { ReadResponse } from '../../core/index.js';
import { encodeBase64, type ResultOf } from '../../protocol/index.js';

/** What `process/read` answers. */
export function readAnswer(read: ReadResponse): ResultOf<'process/read'> {
  return {
    chunks: read.chunks.map(({ seq, stream, bytes }) => ({ seq, stream, chunk: encodeBase64(bytes) })),
    nextSeq: read.nextSeq,
    exited: read.exited,
    exitCode: read.exit?.exitCode ?? null,
    closed: read.closed,
    failure: read.failure ?? null,
    sandboxDenied: false,
    ...(read.exit?.signal !== undefined && { exitSignal: read.exit.signal }),
    ...(read.exitSeq !== undefined && { exitSeq: read.exitSeq }),
    ...(read.evicted && { evicted: read.evicted }),
  };
}
