import type { KeptOptions, KeptOutput, MissingOutput } from '../../core/index.js';
import type { Segment } from './segment.js';

/** Reads the parts of an output, with a gap in place of what came before the first. */
export async function readSegments(
  segments: readonly Segment[],
  { afterSeq, maxBytes }: KeptOptions,
): Promise<KeptOutput> {
  const chunks: KeptOutput['chunks'][number][] = [];
  const missing: MissingOutput[] = [];
  let bytes = 0;
  let behind = afterSeq;
  for (const segment of segments.filter(({ throughSeq }) => throughSeq > afterSeq)) {
    const isFirst = segment === segments[0];
    if (isFirst && segment.fromSeq > behind + 1) {
      missing.push(gone(behind, segment));
    }
    const part = await segment.read(behind, Math.max(0, maxBytes - bytes));
    if (chunks.length > 0 && bytes + part.bytes > maxBytes) {
      break;
    }
    chunks.push(...part.chunks);
    missing.push(...part.missing);
    bytes += part.bytes;
    behind = segment.throughSeq;
    if (part.more) {
      break;
    }
  }
  return { chunks, missing };
}

/** What came before the first part that is left. Its size is known only from the beginning on. */
function gone(afterSeq: number, { fromSeq, bytesBefore }: Segment): MissingOutput {
  return {
    fromSeq: afterSeq + 1,
    throughSeq: fromSeq - 1,
    chunks: fromSeq - 1 - afterSeq,
    ...(afterSeq === 0 && { bytes: bytesBefore }),
  };
}
