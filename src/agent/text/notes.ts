import type { GapEvent } from '../../core/index.js';

import { formatCursor, type Cursor } from './cursor.js';
import type { BinaryOutput } from './streamRenderer.js';
import { tokensOfBytes } from './tokens.js';

// Notes that stand in a text beside the output. They have square brackets, so that nobody takes them for output.

export const SCREEN_CLEARED = '[screen cleared]';
export const FULL_SCREEN_LAST = '[a full-screen program had the terminal; its last screen:]';
export const FULL_SCREEN_NOW = '[a full-screen program has the terminal; its screen so far:]';
export const FULL_SCREEN_END = '[end of its screen]';

/** The length of the longest note, in bytes. */
export const MAX_NOTE_BYTES = 240;

export function repeatNote(times: number): string {
  return `[the line above ${times === 1 ? '1 more time' : `${grouped(times)} times more`}]`;
}

/** @param retainedText How much the log keeps, `1 MiB` for example. */
export function gapNote({ bytes, fromSeq, throughSeq }: GapEvent, retainedText: string | undefined): string {
  const what =
    bytes === undefined
      ? `output of unknown size is gone (chunks ${fromSeq} to ${throughSeq})`
      : `${grouped(bytes)} ${bytes === 1 ? 'byte is' : 'bytes are'} gone`;
  return `[... ${what}${retainedText === undefined ? '' : `: the log keeps the newest ${retainedText}`} ...]`;
}

/** Binary output in place of which this stands. */
export function binaryNote({ bytes, type }: Pick<BinaryOutput, 'bytes' | 'type'>): string {
  const what = type === undefined ? 'binary' : isText(type) ? type : `binary (${type})`;
  const how = isText(type)
    ? 'to read it, run the command again with "| iconv -f ENCODING -t UTF-8"'
    : 'to keep it, run the command again with "> FILE", or with "| base64" to see it as text';
  return `[... ${countOf(bytes, 'byte')} of output not shown: ${what}; ${how} ...]`;
}

/** Whether a type of output that cannot be shown is text all the same. */
function isText(type: string | undefined): boolean {
  return type?.startsWith('text ') === true;
}

/** Lines that are left out of a text. */
export interface LeftOut {
  readonly lines: number;
  readonly bytes: number;
  /** The cursor from which a page has them. */
  readonly cursor: Cursor;
  /** The number of lines that such a page shows before them. The text shows these as well. */
  readonly shownLines: number;
  /** The number of gaps among them, and of the missing bytes as far as that is known. */
  readonly gaps: number;
  readonly goneBytes: number;
}

export function leftOutNote(left: LeftOut): string {
  const cursor = `read_output cursor="${formatCursor(left.cursor)}" has them`;
  const shown =
    left.shownLines === 0
      ? ''
      : `, after ${countOf(left.shownLines, 'line')} that ${isOrAre(left.shownLines)} shown above`;
  const gone =
    left.gaps === 0
      ? ''
      : ` with ${countOf(left.gaps, 'gap')}, in which ${left.goneBytes > 0 ? `${grouped(left.goneBytes)} bytes` : 'output'} ${left.goneBytes > 0 ? 'are' : 'is'} gone`;
  return `[... ${amount(left.lines, left.bytes)} left out${gone}; ${cursor}${shown} ...]`;
}

/** For a part of the output that cannot be shown in pieces and does not fit. @param need The tokens that it takes. */
export function tooLargeNote(lines: number, bytes: number, cursor: Cursor, need: number): string {
  return `[... ${amount(lines, bytes)} left out; read_output cursor="${formatCursor(cursor)}" with max_output_tokens=${need} has them ...]`;
}

function amount(lines: number, bytes: number): string {
  return `${countOf(lines, 'line')} (${countOf(tokensOfBytes(bytes), 'token')})`;
}

function countOf(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function isOrAre(count: number): string {
  return count === 1 ? 'is' : 'are';
}

function grouped(count: number): string {
  return `${count}`.replace(/\B(?=(?:\d{3})+$)/g, ',');
}
