import type { ExecProcess } from '../process/execBackend.js';
import type { MissingOutput, OutputChunk, ReadOptions, ReadResponse } from '../process/execEvents.js';
import { untilCaughtUp } from '../process/untilExit.js';

/** The bytes of one read if the caller sets no bound. */
const PAGE_BYTES = 256 * 1024;

/**
 * Reads the output of a process from its log, and the parts that the log has lost from where they are kept on disk. It
 * works like `process.read`, each number once, but an answer may have less than the log.
 */
export class KeptReader {
  readonly #process: Pick<ExecProcess, 'read' | 'readKept'>;

  constructor(process: Pick<ExecProcess, 'read' | 'readKept'>) {
    this.#process = process;
  }

  async read(options: Omit<ReadOptions, 'waitMs'> = {}): Promise<ReadResponse> {
    const maxBytes = options.maxBytes ?? PAGE_BYTES;
    const afterSeq = options.afterSeq ?? 0;
    const answer = await this.#process.read({ afterSeq, maxBytes });
    const hole = firstHole(answer, afterSeq);
    if (hole === undefined) {
      return answer;
    }
    const before = answer.chunks.filter(({ seq }) => seq < hole);
    if (before.length > 0) {
      return { ...withoutHoles(answer), chunks: before, nextSeq: hole };
    }
    const kept = await this.#process.readKept({ afterSeq, maxBytes });
    // The log gives the output that it has: elsewhere it may be missing.
    const inLog = answer.chunks[0]?.seq ?? Number.POSITIVE_INFINITY;
    const chunks = kept.chunks.filter(({ seq }) => seq < inLog);
    const last = chunks.at(-1);
    if (last !== undefined) {
      return { ...withoutHoles(answer), chunks, missing: kept.missing, nextSeq: last.seq + 1 };
    }
    // The disk may have been too slow for exactly that output, but it knows the size.
    const following = await this.#chunksOf(kept.missing, answer);
    const gone = kept.missing.flatMap((range) => partBefore(following, range));
    const count = gone.reduce((sum, range) => sum + range.chunks, 0);
    const later = answer.missing?.filter(({ fromSeq }) => fromSeq > inLog) ?? [];
    return count === inLog - 1 - afterSeq
      ? { ...withoutHoles(answer), missing: [...gone, ...later] }
      : answer;
  }

  /** The chunks of an answer, and the chunks after them that lie in a range which begins before them. */
  async #chunksOf(
    ranges: readonly MissingOutput[],
    { chunks }: ReadResponse,
  ): Promise<readonly OutputChunk[]> {
    const last = chunks.at(-1)?.seq ?? Number.POSITIVE_INFINITY;
    const longer = ranges.find(({ throughSeq }) => throughSeq > last);
    if (longer?.bytes === undefined || longer.fromSeq > last) {
      return chunks;
    }
    const more = await this.#process.read({ afterSeq: last, maxBytes: longer.bytes });
    return [...chunks, ...more.chunks];
  }
}

/** Output, and the ranges that are missing from it. */
export interface RetainedOutput {
  readonly chunks: readonly OutputChunk[];
  /** Oldest first. */
  readonly missing: readonly MissingOutput[];
}

/**
 * Reads all available output, page by page.
 *
 * @param take Gets each page; the next page waits until it has resolved.
 * @param through The last number to read; by default that of the newest output at the time of the call.
 * @param afterSeq Only output with a higher number.
 */
export async function readRetained(
  process: Pick<ExecProcess, 'info' | 'onWake' | 'read' | 'readKept'>,
  take: (page: RetainedOutput) => unknown,
  through?: number,
  afterSeq = 0,
): Promise<void> {
  await untilCaughtUp(process);
  const throughSeq = through ?? process.info().output.lastSeq;
  const reader = new KeptReader(process);
  for (let readThrough = afterSeq; readThrough < throughSeq;) {
    const answer = await reader.read({ afterSeq: readThrough, maxBytes: PAGE_BYTES });
    const { chunks, nextSeq } = answer;
    await take({
      chunks: chunks.filter(({ seq }) => seq <= throughSeq),
      missing: missingIn(answer, readThrough).filter(
        ({ fromSeq }) => fromSeq <= throughSeq && fromSeq < nextSeq,
      ),
    });
    if (chunks.length === 0) {
      return;
    }
    readThrough = nextSeq - 1;
  }
}

/** The ranges that an answer lacks, each number once. */
function missingIn({ evicted, missing = [] }: ReadResponse, afterSeq: number): readonly MissingOutput[] {
  if (evicted === undefined) {
    return missing;
  }
  const { throughSeq } = evicted;
  const never = missing.filter((range) => range.throughSeq <= throughSeq);
  const known = afterSeq === 0 && never.every(({ bytes }) => bytes !== undefined);
  const bytes = never.reduce((sum, range) => sum + (range.bytes ?? 0), evicted.bytes);
  return [
    { fromSeq: afterSeq + 1, throughSeq, chunks: throughSeq - afterSeq, ...(known && { bytes }) },
    ...missing.filter((range) => range.throughSeq > throughSeq),
  ];
}

/** The part of a range before the first of the chunks; its size is known if the chunks contain all the rest of it. */
function partBefore(chunks: readonly OutputChunk[], range: MissingOutput): readonly MissingOutput[] {
  const first = chunks[0]?.seq ?? Number.POSITIVE_INFINITY;
  if (range.throughSeq < first) {
    return [range];
  }
  const rest = chunks.filter(({ seq }) => seq <= range.throughSeq);
  const isKnown = range.bytes !== undefined && rest.length === range.throughSeq - first + 1;
  const bytes = rest.reduce((sum, chunk) => sum - chunk.bytes.byteLength, range.bytes ?? 0);
  return range.fromSeq >= first
    ? []
    : [
        {
          fromSeq: range.fromSeq,
          throughSeq: first - 1,
          chunks: first - range.fromSeq,
          ...(isKnown && { bytes }),
        },
      ];
}

/** The first number above `afterSeq` whose output existed but is not in the log. */
function firstHole({ evicted, missing }: ReadResponse, afterSeq: number): number | undefined {
  return evicted === undefined ? missing?.[0] && Math.max(missing[0].fromSeq, afterSeq + 1) : afterSeq + 1;
}

function withoutHoles(answer: ReadResponse): ReadResponse {
  const { chunks, nextSeq, exited, exit, exitSeq, closed, failure } = answer;
  return {
    chunks,
    nextSeq,
    exited,
    ...(exit && { exit }),
    ...(exitSeq !== undefined && { exitSeq }),
    closed,
    ...(failure && { failure }),
  };
}
