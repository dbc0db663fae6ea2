import type { KeptOptions, KeptOutput, MissingOutput } from '../../core/index.js';
import type { Segment } from './segment.js';

/**
 * Reads the parts of an output, oldest first. A gap stands for output before the first part, and for output that is
 * missing between two parts. A file may have gone, or have lost its end with a failure of the machine.
 */
export async function readSegments(
  segments: readonly Segment[],
  { afterSeq, maxBytes }: KeptOptions,
): Promise<KeptOutput> {
  const chunks: KeptOutput['chunks'][number][] = [];
  const missing: MissingOutput[] = [];
  let bytes = 0;
  let behind = afterSeq;
  for (const [index, segment] of segments.entries()) {
    if (segment.throughSeq <= afterSeq) {
      continue;
    }
    const part = await segment.read(behind, maxBytes - bytes).catch(unlessRemoved);
    if (part === undefined) {
      continue;
    }
    if (chunks.length > 0 && bytes + part.bytes > maxBytes) {
      break;
    }
    missing.push(...goneBefore(segment, segments[index - 1], behind), ...part.missing);
    chunks.push(...part.chunks);
    bytes += part.bytes;
    behind = segment.throughSeq;
    if (part.more) {
      break;
    }
  }
  return { chunks, missing };
}

/** A removed file is a gap before the next one. */
function unlessRemoved(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') {
    throw error;
  }
}

/** The missing output after a number and before a part. Its size is known after the end of the part before it. */
function goneBefore(
  { fromSeq, before }: Segment,
  previous: Segment | undefined,
  behind: number,
): readonly MissingOutput[] {
  const chunks = fromSeq - 1 - behind;
  const through = previous === undefined ? 0 : previous.through.bytes;
  const bytes = before.bytes === undefined || through === undefined ? undefined : before.bytes - through;
  // The end of a process has a number too, and is no output.
  if (chunks < 1 || (chunks === 1 && bytes === 0)) {
    return [];
  }
  const isKnown = bytes !== undefined && bytes > 0 && behind === (previous?.throughSeq ?? 0);
  return [{ fromSeq: behind + 1, throughSeq: fromSeq - 1, chunks, ...(isKnown && { bytes }) }];
}
