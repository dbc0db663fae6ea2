import type { TerminalSize } from '../core/index.js';

import type { ControlSequence } from './escapeScanner.js';

/**
 * Control sequences that an emulator carries out once for each count, by their intermediates and final. Each has the
 * count above which a higher count changes nothing on a screen.
 */
const MOST: Readonly<Record<string, (size: TerminalSize, count: number) => number>> = {
  'S': rows, // SU
  'T': rows, // SD
  'L': rows, // IL
  'M': rows, // DL
  '@': columns, // ICH
  'P': columns, // DCH
  'X': columns, // ECH
  'I': columns, // CHT
  'Z': columns, // CBT
  ' @': columns, // SL
  ' A': columns, // SR
  "'}": columns, // DECIC
  "'~": columns, // DECDC
  'b': repetitions, // REP
};

const COUNT = /^\d+/;

/**
 * Returns the sequence as an emulator of this size should get it. A count that exceeds the screen is lowered, and the
 * screen looks the same. Otherwise a few bytes, such as `CSI 2147483647 S`, would block an emulator, and with it the
 * whole window, for hours. Every other sequence is returned unchanged.
 */
export function withinScreen(
  { raw, prefix, params, intermediates, final }: ControlSequence,
  size: TerminalSize,
): string {
  const most = prefix === '' ? MOST[intermediates + final] : undefined;
  const digits = most === undefined ? undefined : COUNT.exec(params)?.[0];
  if (most === undefined || digits === undefined) {
    return raw;
  }
  const count = Number(digits);
  const useful = most(size, count);
  return count <= useful ? raw : `\u001b[${useful}${params.slice(digits.length)}${intermediates}${final}`;
}

function rows(size: TerminalSize): number {
  return size.rows;
}

function columns(size: TerminalSize): number {
  return size.columns;
}

/**
 * A repeated character fills the screen, from any place of the cursor, and one line more. Beyond that, only the
 * cursor's final place in the line matters. Fewer lines scroll off than without this limit.
 */
function repetitions(size: TerminalSize, count: number): number {
  const full = (size.rows + 1) * size.columns;
  return count <= full ? count : full + (Math.min(count, HIGHEST) % size.columns);
}

/** The highest count that xterm.js knows; it uses this for every higher count. */
const HIGHEST = 0x7fffffff;
