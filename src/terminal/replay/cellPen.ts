import type { IBufferCell } from '@xterm/headless';

const DEFAULT_COLOR = -1;
const INDEXED = 0x1000000;
const RGB = 0x3000000;

/** The styles that a cell tells, by their SGR parameters. The style of an underline is not among them. */
const STYLES: readonly (readonly [param: number, isSet: (cell: IBufferCell) => number])[] = [
  [1, (cell) => cell.isBold()],
  [2, (cell) => cell.isDim()],
  [3, (cell) => cell.isItalic()],
  [4, (cell) => cell.isUnderline()],
  [5, (cell) => cell.isBlink()],
  [7, (cell) => cell.isInverse()],
  [8, (cell) => cell.isInvisible()],
  [9, (cell) => cell.isStrikethrough()],
  [53, (cell) => cell.isOverline()],
];

/** The colours and styles of the cell that was written last. */
export class CellPen {
  #foreground = DEFAULT_COLOR;
  #background = DEFAULT_COLOR;
  #styles = 0;

  /** Returns the sequence that changes to the colours and styles of this cell; empty if nothing changes. */
  change(cell: IBufferCell): string {
    if (cell.isAttributeDefault()) {
      return this.reset();
    }
    const foreground = cell.getFgColorMode() + cell.getFgColor();
    const background = cell.getBgColorMode() + cell.getBgColor();
    const styles = STYLES.reduce(
      (bits, [, isSet], index) => (isSet(cell) === 0 ? bits : bits | (1 << index)),
      0,
    );
    if (foreground === this.#foreground && background === this.#background && styles === this.#styles) {
      return '';
    }
    this.#foreground = foreground;
    this.#background = background;
    this.#styles = styles;
    const params = [
      0,
      ...STYLES.filter((_, index) => (styles & (1 << index)) !== 0).map(([param]) => param),
      ...colorParams(foreground, 30),
      ...colorParams(background, 40),
    ];
    return `\u001b[${params.join(';')}m`;
  }

  /** Returns the sequence that changes to the default colours and no styles; empty if nothing changes. */
  reset(): string {
    if (this.#styles === 0 && this.#foreground === DEFAULT_COLOR && this.#background === DEFAULT_COLOR) {
      return '';
    }
    this.#foreground = DEFAULT_COLOR;
    this.#background = DEFAULT_COLOR;
    this.#styles = 0;
    return '\u001b[m';
  }
}

/** @param color The mode of the colour plus its number. */
function colorParams(color: number, base: 30 | 40): readonly number[] {
  if (color === DEFAULT_COLOR) {
    return [];
  }
  if (color >= RGB) {
    return [base + 8, 2, (color >> 16) & 0xff, (color >> 8) & 0xff, color & 0xff];
  }
  const index = color & 0xff;
  if (color >= 2 * INDEXED || index >= 16) {
    return [base + 8, 5, index];
  }
  return [index < 8 ? base + index : base + 52 + index];
}
