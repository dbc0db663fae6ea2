import type { Cursor } from './cursor.js';
import type { Emulator } from './emulator.js';
import { isFull, isOverfull, writePiece } from './rowCut.js';
import type { Sequence } from './sequence.js';

/** A line that is still on the screen. */
export interface ScreenLine {
  readonly text: string;
  readonly start: Cursor;
  /** Whether the line is too long and continues in the next one. */
  readonly open: boolean;
  /** See `SeenLine`. */
  readonly atEditor?: boolean;
}

/**
 * The lines of a block that has ended: the lines that may have been changed, and those below them that were only
 * written.
 */
interface EndedBlock {
  readonly changed: string[];
  readonly recent: { readonly text: string; readonly start: Cursor }[];
}

/**
 * Lines of a screen on which the program moves up and down, in an emulator. They stay together: no line can be shown
 * without the output after it, which may have changed it.
 */
export class ScreenBlock {
  readonly #emulator: Emulator;
  readonly #state = new ScreenState();
  /** How many of the given lines had left the screen when the block began; they do not belong to it. */
  readonly aboveCount: number;
  /** The cursor from which reading shows the block. */
  readonly start: Cursor;
  readonly #firstRow: number;
  /** Whether the screen was empty when the block began. */
  readonly #startsEmpty: boolean;
  /** The lowest row that was written to. */
  #lowest: number;
  /** The lowest row that the program's moves may have changed. */
  #changedThrough: number;
  /** The starts of lines below `#changedThrough`, which were only written. */
  #marks: { readonly row: number; readonly start: Cursor }[] = [];
  /** Whether the last character was a line end, and the cursor is at the beginning of a new row. */
  #atRowStart = false;

  /**
   * @param recent The ended lines on the screen, and maybe some above it.
   * @param line The last line; `text` is what to write to the emulator to show it.
   */
  constructor(
    emulator: Emulator,
    recent: readonly ScreenLine[],
    line: { readonly text: string; readonly start: Cursor },
  ) {
    this.#emulator = emulator;
    emulator.reset();
    const skipped = recent.length - linesThatFill(recent, emulator);
    const ends: number[] = [];
    for (const { text, open } of recent.slice(skipped)) {
      emulator.write(text.replaceAll('\n', '\r\n'));
      ends.push(emulator.row);
      // The next part of a long line wraps if this one fills its row. Otherwise it begins a row all the same, as it
      // does when reading begins with that part.
      emulator.write(open && emulator.column === emulator.columns ? '' : '\r\n');
    }
    emulator.write(line.text);
    const firstSeen = ends.findIndex((row) => row >= emulator.top);
    const above = firstSeen < 0 ? ends.length : firstSeen;
    this.aboveCount = skipped + above;
    this.#firstRow = above === 0 ? 0 : (ends[above - 1] ?? 0) + 1;
    this.start = recent[this.aboveCount]?.start ?? line.start;
    this.#startsEmpty = this.aboveCount === recent.length && line.text === '';
    this.#lowest = emulator.row;
    this.#changedThrough = emulator.row;
  }

  /** Whether the block has to be ended before more text is added. */
  get full(): boolean {
    const isCut = isFull(this.#emulator, this.#firstRow, this.#atRowStart);
    // After a row above the lowest one, text continues in a row that has something on it already.
    return isCut && (this.#emulator.row === this.#lowest || this.overfull);
  }

  /** Whether the block has to be ended before anything else is added. */
  get overfull(): boolean {
    return isOverfull(this.#emulator, this.#firstRow);
  }

  /** Adds the text of `run` from index `from` on, up to where the block may be full. Returns the index after it. */
  add(run: string, from: number): number {
    this.#atRowStart = false;
    const end = writePiece(this.#emulator, this.#firstRow, run, from);
    this.#lowest = Math.max(this.#lowest, this.#emulator.row);
    return end;
  }

  /** @param position The cursor after the character. */
  control(character: string, position: Cursor): void {
    if (character === '\u000e' || character === '\u000f') {
      this.#state.control(character);
    }
    this.#emulator.write(character);
    const { row, column } = this.#emulator;
    this.#atRowStart = row > this.#lowest && column === 0;
    if (row > this.#lowest) {
      this.#lowest = row;
      if (this.#atRowStart) {
        this.#marks.push({ row, start: position });
      } else {
        this.#moved();
      }
    }
  }

  sequence(sequence: Sequence): void {
    this.#state.sequence(sequence);
    this.#atRowStart = false;
    this.#emulator.write(sequence.raw);
    this.#lowest = Math.max(this.#lowest, this.#emulator.row);
    if (sequence.effect !== 'line') {
      this.#moved();
    }
  }

  /** Whether a sequence wipes the whole screen from its first character on. */
  erasesAll(sequence: Sequence): boolean {
    const { row, column, top } = this.#emulator;
    return sequence.erasesRight && sequence.raw.endsWith('J') && row === top && column === 0;
  }

  /**
   * Ends the block if all that the program's moves have changed has left the screen; undefined if the block continues.
   */
  close(): (EndedBlock & { readonly start: Cursor }) | undefined {
    const last = this.#marks.at(-1);
    const isOver = this.#state.clean && this.#emulator.top > this.#changedThrough;
    if (!isOver || last?.row !== this.#emulator.row) {
      return undefined;
    }
    return { ...this.#split(last.row), start: last.start };
  }

  /** Ends the block. `open`: whether the last line may continue. */
  end(): EndedBlock & { readonly open: boolean } {
    const { row, column } = this.#emulator;
    const end = Math.max(this.#emulator.lastRow(), column > 0 ? row : -1) + 1;
    return { ...this.#split(end), open: row === end - 1 };
  }

  /** The lines of the block so far. */
  text(): string[] {
    return this.#lines(this.#firstRow, this.#emulator.lastRow() + 1);
  }

  #moved(): void {
    this.#changedThrough = this.#lowest;
    this.#marks = [];
  }

  #split(end: number): EndedBlock {
    const marks = this.#marks.filter(({ row }) => row < end);
    const below = marks[0]?.row ?? end;
    const changed = this.#lines(this.#firstRow, below);
    const recent = marks.map(({ row, start }, index) => ({
      text: this.#emulator.lines(row, marks[index + 1]?.row ?? end).join('\n'),
      start,
    }));
    return { changed, recent };
  }

  #lines(from: number, to: number): string[] {
    const lines = this.#emulator.lines(from, to);
    const first = this.#startsEmpty ? lines.findIndex((line) => line.trim() !== '') : 0;
    return first < 0 ? [] : lines.slice(first);
  }
}

/** How many of the last lines certainly fill a screen; all of them if they do not. */
function linesThatFill(lines: readonly ScreenLine[], { columns, rows }: Emulator): number {
  let filled = 0;
  for (let count = 0; count < lines.length; count++) {
    if (filled >= rows) {
      return count;
    }
    const units = lines[lines.length - 1 - count]?.text.length ?? 0;
    // A character of two UTF-16 units takes at least one cell.
    filled += Math.max(1, Math.floor(units / 2 / columns));
  }
  return lines.length;
}

/**
 * Whether a terminal shows text as it does after a reset. It is judged by the sequences that set a state; others are
 * ignored.
 */
class ScreenState {
  readonly #changed = new Set<string>();

  get clean(): boolean {
    return this.#changed.size === 0;
  }

  sequence({ raw }: Sequence): void {
    const region = /^\u001b\[([0-9;]*)r$/.exec(raw);
    if (region !== null) {
      this.#set('region', !/^[01]?;?$/.test(region[1] ?? ''));
      return;
    }
    const mode = /^\u001b\[(\??)([0-9;]*)([hl])$/.exec(raw);
    if (mode !== null) {
      for (const number of (mode[2] ?? '').split(';')) {
        this.#mode(`${mode[1]}${number}`, mode[3] === 'h');
      }
      return;
    }
    const charset = /^\u001b([()*+])(.)$/.exec(raw);
    if (charset !== null) {
      this.#set(`charset ${charset[1]}`, charset[2] !== 'B');
    } else if (raw === '\u001b[!p') {
      this.#changed.clear();
    }
  }

  /** Takes shift out (U+000E) or shift in (U+000F). */
  control(character: string): void {
    this.#set('shift', character === '\u000e');
  }

  reset(): void {
    this.#changed.clear();
  }

  #mode(mode: string, on: boolean): void {
    // Wrapping is on at the start, the others are off. Saving the cursor changes nothing yet.
    if (mode !== '?1048') {
      this.#set(`mode ${mode}`, mode === '?7' ? !on : on);
    }
  }

  #set(what: string, changed: boolean): void {
    if (changed) {
      this.#changed.add(what);
    } else {
      this.#changed.delete(what);
    }
  }
}
