import * as vscode from 'vscode';

import {
  type LogStats,
  type MissingOutput,
  type OutputChunk,
  type PastOutputs,
  readPast,
  readRetained,
} from '../../core/index.js';
import type { Session } from '../../sessions/list/index.js';
import { evictionNote } from '../../sessions/words/index.js';
import { plainText } from '../../terminal/index.js';

/** The output of a session, from memory and, if it is kept there, from disk. */
export interface SessionOutput {
  readonly chunks: readonly OutputChunk[];
  /** Counts of what is in it and of what is missing. */
  readonly stats: LogStats;
}

/** Reads all that there is of the output of a session. */
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
    stats: retainedBytes > output.retainedBytes ? counted(output, retainedBytes, missing) : output,
  };
}

/** Reads all that is kept on disk of the output of a session that is in no list any more, by the id of its receipt. */
export async function readPastOutput(outputs: PastOutputs, receiptId: string): Promise<SessionOutput> {
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
    stats: {
      ...stats,
      bytes: retainedBytes + stats.evicted.bytes,
      chunks: chunks.length + stats.evicted.chunks,
    },
  };
}

/** What memory has of the output of a session, as plain text. */
export async function newestText({ process }: Session): Promise<string> {
  const { chunks } = await process.read();
  return plainText(chunks);
}

/** The output of a session as plain text, with a first line if some of the output is not in it. */
export function textOf({ chunks, stats }: SessionOutput): string {
  return evictionNote(stats, vscode.l10n) + plainText(chunks);
}

/**
 * The output as the program wrote it, including the escape sequences.
 *
 * @param options.note Whether to begin with a line, as in {@link textOf}, if some of the output is not in it.
 */
export function bytesOf({ chunks, stats }: SessionOutput, options: { readonly note: boolean }): Uint8Array {
  const note = options.note ? evictionNote(stats, vscode.l10n) : '';
  return Buffer.concat([Buffer.from(note), ...chunks.map(({ bytes }) => bytes)]);
}

/** Counts of what was read from disk as well: what is in memory alone is less. */
function counted(
  output: Pick<LogStats, 'bytes' | 'chunks' | 'lastSeq'>,
  retainedBytes: number,
  missing: readonly MissingOutput[],
): LogStats {
  const unknown = missing.filter(({ bytes }) => bytes === undefined);
  return {
    ...output,
    retainedBytes,
    evicted: {
      bytes: missing.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
      chunks: missing.reduce((sum, { chunks }) => sum + chunks, 0),
      throughSeq: missing.at(-1)?.throughSeq ?? 0,
    },
    missing: { bytes: 0, chunks: unknown.reduce((sum, { chunks }) => sum + chunks, 0) },
  };
}
