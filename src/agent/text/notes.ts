import { isText } from './binary.js';
import { formatCursor, type Cursor } from './cursor.js';
import type { BinaryOutput } from './streamRenderer.js';
import { tokensOfBytes } from './tokens.js';
import { type Gone, sizeOfGap, type TextGap } from './sizedGap.js';

// Notes that stand in a text beside the output. They have square brackets, so that no reader takes them for output.

export const SCREEN_CLEARED = '[screen cleared]';
export const FULL_SCREEN_LAST = '[a full-screen program had the terminal; its last screen:]';
export const FULL_SCREEN_NOW = '[a full-screen program has the terminal; its screen so far:]';
export const FULL_SCREEN_PIECES =
  '[a full-screen program has the terminal: this is only what it has changed; mode="screen" of read_output shows all of it]';
export const FULL_SCREEN_END = '[end of its screen]';

/** The way to have all output. */
export const KEEP_ADVICE = 'to keep all, run it again with keep_output=true or "> FILE"';

/** The same in fewer bytes: such a note takes room from the output. */
const KEEPS_ALL = '(keep_output=true keeps all)';

/** The length of the longest note, in bytes. */
export const MAX_NOTE_BYTES = 240;

export function repeatNote(times: number): string {
  return `[the line above ${times === 1 ? '1 more time' : `${grouped(times)} times more`}]`;
}

export function gapNote(gap: TextGap): string {
  const size = sizeOfGap(gap);
  const what =
    size === undefined
      ? 'output is missing here'
      : `${gap.bytes === undefined ? 'about ' : ''}${grouped(size)} ${size === 1 ? 'byte is' : 'bytes are'} gone`;
  return `[... ${what}; ${KEEP_ADVICE} ...]`;
}

/** The note that stands in place of binary output. */
export function binaryNote({ bytes, type }: Pick<BinaryOutput, 'bytes' | 'type'>): string {
  const what = type === undefined ? 'binary' : isText(type) ? type : `binary (${type})`;
  const how = isText(type)
    ? 'to read it, run the command again with "| iconv -f ENCODING -t UTF-8"'
    : 'to keep it, run the command again with "> FILE", or with "| base64" to see it as text';
  return `[... ${countOf(bytes, 'byte')} of output not shown: ${what}; ${how} ...]`;
}

/** Lines that are left out of a text. */
export interface LeftOut {
  readonly lines: number;
  readonly bytes: number;
  /** The number of gaps among them. */
  readonly gaps: number;
  readonly gone: Gone | undefined;
  /** The part of them that a page can show now; undefined if they are gone. */
  readonly there: StillThere | undefined;
}

type StillThere =
  | {
      readonly whole: true;
      /** The cursor from which a page has them. */
      readonly cursor: Cursor;
      /** The number of lines that such a page shows before them. The text shows these as well. */
      readonly shownLines: number;
    }
  | {
      readonly whole: false;
      readonly cursor: Cursor;
      /** About the number of them that are still there. */
      readonly lines: number;
    };

export function leftOutNote({ lines, bytes, gaps, gone, there }: LeftOut): string {
  const size = gone?.bytes === undefined ? 'output is' : `${grouped(gone.bytes)} bytes are`;
  const holes = gaps === 0 ? '' : ` with ${countOf(gaps, 'gap')}, in which ${size} gone`;
  return `[... ${amount(lines, bytes)} left out${holes}; ${whereText(there, lines)} ...]`;
}

function whereText(there: StillThere | undefined, lines: number): string {
  if (there === undefined) {
    return `${lines === 1 ? 'it is' : 'they are'} gone ${KEEPS_ALL}`;
  }
  const has = `read_output cursor="${formatCursor(there.cursor)}" has`;
  if (!there.whole) {
    const end = there.lines === 1 ? 'the end' : `about the last ${grouped(there.lines)}`;
    return `${has} ${end}, the rest is gone ${KEEPS_ALL}`;
  }
  return there.shownLines === 0
    ? `${has} ${lines === 1 ? 'it' : 'them'}`
    : `${has} ${lines === 1 ? 'it' : 'them'}, after ${countOf(there.shownLines, 'line')} that ${isOrAre(there.shownLines)} shown above`;
}

/**
 * The note for a part of the output that does not fit and cannot be shown in pieces.
 *
 * @param need The tokens that it takes.
 */
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
  const digits = `${count}`;
  let text = digits.slice(-3);
  // Not by a regular expression: notes are made for each line of a long output, to know their length.
  for (let end = digits.length - 3; end > 0; end -= 3) {
    text = `${digits.slice(Math.max(0, end - 3), end)},${text}`;
  }
  return text;
}
