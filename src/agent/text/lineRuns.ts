import type { Cursor } from './cursor.js';
import type { LineBlock } from './lineBlock.js';
import type { Item } from './item.js';
import { binaryNote, gapNote, repeatNote } from './notes.js';
import type { BinaryOutput, LineSink, TextLine } from './streamRenderer.js';
import { utf8Length } from './tokens.js';
import type { TextGap } from './sizedGap.js';

/** Merges equal lines in a row, and shows their count where that is shorter than to repeat them. */
export class LineRuns implements LineSink {
  readonly #emit: (item: Item) => void;
  readonly block: ((block: LineBlock) => void) | undefined;
  #line: TextLine | undefined;
  #count = 0;
  /** Whether the next text continues the same line. */
  #continues = false;
  /** Whether the line is the rest of one whose beginning has been emitted already, so no other line equals it. */
  #isRest = false;

  constructor(
    emit: (item: Item) => void,
    options: {
      /** Takes many lines at once, each different from the lines around it, in place of {@link LineBlock.items}. */
      readonly emitBlock?: ((block: LineBlock) => void) | undefined;
    } = {},
  ) {
    this.#emit = emit;
    const { emitBlock } = options;
    this.block = emitBlock && ((block) => this.#block(block, emitBlock));
  }

  line(line: TextLine): void {
    if (
      this.#line !== undefined &&
      !this.#isRest &&
      !line.open &&
      line.text === this.#line.text &&
      !line.text.includes('\n')
    ) {
      this.#count += 1;
      return;
    }
    this.flush();
    if (line.open) {
      const { text, start } = line;
      this.#emit({ text, bytes: utf8Length(text), line: text, lines: 0, start, gap: undefined });
    } else {
      this.#line = line;
      this.#count = 1;
      this.#isRest = this.#continues;
    }
    this.#continues = line.open;
  }

  gap(gap: TextGap): void {
    this.#note(gapNote(gap), { afterSeq: gap.fromSeq - 1, skipBytes: 0 }, gap);
  }

  binary(output: BinaryOutput): void {
    this.#note(binaryNote(output), output.start);
  }

  /** Emits the last line. An equal line that follows is not counted with it. */
  flush(): void {
    if (this.#line === undefined) {
      return;
    }
    const { text: line, start } = this.#line;
    this.#line = undefined;
    if (this.#count === 1) {
      // The most frequent case. To look into the text with the line end would cost a copy of each line.
      const lines = line.includes('\n') ? line.split('\n').length : 1;
      this.#emit({ text: `${line}\n`, bytes: utf8Length(line) + 1, line, lines, start, gap: undefined });
      return;
    }
    const text = showRun(line, this.#count);
    this.#emit({ text, bytes: utf8Length(text), line, lines: this.#count, start, gap: undefined });
  }

  /** The first line and the last may equal those around the block, so they are treated like any other. */
  #block(block: LineBlock, emitBlock: (block: LineBlock) => void): void {
    const [first, others] = block.split(1);
    const [middle, last] = others.split(others.lines - 1);
    this.#lines(first);
    if (middle.lines > 0) {
      this.flush();
      emitBlock(middle);
    }
    this.#lines(last);
  }

  #lines(block: LineBlock): void {
    for (const { line, start } of block.items()) {
      this.line({ text: line, start, open: false });
    }
  }

  /** Emits a note, on a line of its own. */
  #note(note: string, start: Cursor, gap?: TextGap): void {
    this.flush();
    const text = this.#continues ? `\n${note}\n` : `${note}\n`;
    this.#continues = false;
    this.#emit({ text, bytes: utf8Length(text), line: note, lines: 0, start, gap });
  }
}

/** The text of some lines, without the last line end. */
export function foldedLines(lines: readonly string[]): string {
  let folded = '';
  const runs = new LineRuns(({ text }) => (folded += text));
  for (const text of lines) {
    runs.line({ text, start: undefined, open: false });
  }
  runs.flush();
  return folded.replace(/\n$/, '');
}

/** The text of a line that comes more than once. */
function showRun(line: string, count: number): string {
  const once = `${line}\n`;
  const note = `${repeatNote(count - 1)}\n`;
  return once.length * (count - 1) > note.length ? once + note : once.repeat(count);
}
