import { cellsOf } from '../../terminal/index.js';

/** A cell of a table: its text, and what to wrap around it on a terminal with colours. */
export interface Cell {
  readonly text: string;
  readonly colour?: Colour | undefined;
}

export type Colour = 'bold' | 'dim' | 'green' | 'red' | 'yellow';

const CODES: Readonly<Record<Colour, number>> = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 };

const GAP = '  ';
const CUT = '…';

/**
 * Lines up rows in columns, as wide as their widest cell.
 *
 * @param options.width The cells of a line, by which the last column is cut; undefined leaves it whole.
 */
export function tableLines(
  rows: readonly (readonly Cell[])[],
  { width, colours }: { readonly width: number | undefined; readonly colours: boolean },
): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => widthOfText(row[column]?.text ?? ''))),
  );
  const before = widths.slice(0, -1).reduce((sum, columnWidth) => sum + columnWidth + GAP.length, 0);
  const room = width === undefined ? undefined : Math.max(1, width - before);
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const last = column === row.length - 1;
        const text = last && room !== undefined ? cut(cell.text, room) : cell.text;
        const padding = last ? '' : ' '.repeat((widths[column] ?? 0) - widthOfText(text));
        return (colours ? painted(text, cell.colour) : text) + padding;
      })
      .join(GAP)
      .trimEnd(),
  );
}

export function painted(text: string, colour: Colour | undefined): string {
  return colour === undefined ? text : `\u001b[${CODES[colour]}m${text}\u001b[0m`;
}

function widthOfText(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + cellsOf(character), 0);
}

function cut(text: string, room: number): string {
  if (widthOfText(text) <= room) {
    return text;
  }
  let kept = '';
  let taken = cellsOf(CUT);
  for (const character of text) {
    taken += cellsOf(character);
    if (taken > room) {
      break;
    }
    kept += character;
  }
  return kept + CUT;
}
