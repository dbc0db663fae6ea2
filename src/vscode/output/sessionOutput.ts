import * as vscode from 'vscode';

import {
  type EndedReceipt,
  type LogStats,
  missingEnd,
  type MissingOutput,
  type OutputChunk,
  type PastOutputs,
  readPast,
  readRetained,
} from '../../core/index.js';
import type { Session } from '../../sessions/list/index.js';
import { endLine, evictionNote, gapLine, type ReadStats } from '../../sessions/words/index.js';
import { plainText, PlainText } from '../../terminal/index.js';

/** The output of a session, from memory and, if it is kept there, from disk. */
export interface SessionOutput {
  readonly chunks: readonly OutputChunk[];
  /** The gaps before, between and after the chunks, oldest first. */
  readonly missing: readonly MissingOutput[];
  /** Counts of its content and of the gaps. */
  readonly stats: ReadStats;
}

/** Reads all available output of a session. */
export async function readOutput({ process }: Session): Promise<SessionOutput> {
  const chunks: OutputChunk[] = [];
  const missing: MissingOutput[] = [];
  await readRetained(process, (page) => {
    chunks.push(...page.chunks);
    missing.push(...page.missing);
  });
  const { output } = process.info();
  const retainedBytes = chunks.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  return {
    chunks,
    missing,
    stats: retainedBytes > output.retainedBytes ? counted(output, retainedBytes, missing) : output,
  };
}

/**
 * Reads all output on disk of a session that is no longer in a list, by the id of its receipt.
 *
 * @param receipt Says whether the end of the output is there. Without it that is not known.
 */
export async function readPastOutput(
  outputs: PastOutputs,
  receiptId: string,
  receipt: EndedReceipt | undefined,
): Promise<SessionOutput> {
  const chunks: OutputChunk[] = [];
  const missing: MissingOutput[] = [];
  await readPast(outputs, receiptId, (page) => {
    chunks.push(...page.chunks);
    missing.push(...page.missing);
  });
  const retainedBytes = chunks.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  const stats = counted({ bytes: 0, chunks: 0, lastSeq: chunks.at(-1)?.seq ?? 0 }, retainedBytes, missing);
  return {
    chunks,
    missing,
    stats: {
      ...stats,
      missingEnd: receipt && (await missingEnd(outputs, receipt)),
      bytes: retainedBytes + stats.evicted.bytes,
      chunks: chunks.length + stats.evicted.chunks,
    },
  };
}

/** The output of a session that memory has, as plain text. */
export async function newestText({ process }: Session): Promise<string> {
  const { chunks } = await process.read();
  return plainText(chunks);
}

/**
 * The output of a session as plain text. If some of it is missing, the first line says how much, and a line marks each
 * gap, also at the end.
 */
export function textOf(output: SessionOutput): string {
  return [...partsOf(output)].join('');
}

/** The text of {@link textOf} in parts. Each takes little time to make. */
export function* partsOf({ chunks, missing, stats }: SessionOutput): Generator<string> {
  const { l10n } = vscode;
  yield evictionNote(stats, l10n);
  const first = chunks[0]?.seq ?? 0;
  const gaps = missing.filter(({ fromSeq }) => fromSeq > first);
  let next = 0;
  for (const gap of [...gaps, undefined]) {
    const document = new PlainText();
    for (let chunk = chunks[next]; chunk !== undefined; chunk = chunks[next]) {
      if (gap !== undefined && chunk.seq > gap.fromSeq) {
        break;
      }
      next += 1;
      yield document.write(chunk);
    }
    const last = document.end();
    yield last;
    const after = gap === undefined ? endLine(stats, l10n) : gapLine(gap, l10n);
    if (after !== '') {
      // It stands on a line of its own.
      yield last === '' ? after : `\n${after}`;
    }
  }
}

/**
 * The output as the program wrote it, including the escape sequences.
 *
 * @param options.note Whether to add a first and a last line about missing output, as {@link textOf} does.
 */
export function bytesOf({ chunks, stats }: SessionOutput, options: { readonly note: boolean }): Uint8Array {
  const [first, last] = options.note
    ? [evictionNote(stats, vscode.l10n), endLine(stats, vscode.l10n)]
    : ['', ''];
  return Buffer.concat([Buffer.from(first), ...chunks.map(({ bytes }) => bytes), Buffer.from(last)]);
}

/** Counts that include the output from disk, since memory alone has less. */
function counted(
  output: Pick<LogStats, 'bytes' | 'chunks' | 'lastSeq'>,
  retainedBytes: number,
  missing: readonly MissingOutput[],
): ReadStats {
  return {
    ...output,
    retainedBytes,
    evicted: {
      bytes: missing.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
      chunks: missing.reduce((sum, { chunks }) => sum + chunks, 0),
      throughSeq: missing.at(-1)?.throughSeq ?? 0,
    },
    missing: { bytes: 0, chunks: 0 },
    goneUnknown: missing.some(({ bytes }) => bytes === undefined),
  };
}
