import { oneLine } from '../../core/index.js';
import { cellsOf } from '../../terminal/index.js';
import { type Console, type Line, type Painted, widthOf } from '../console.js';

const GAP = '  ';
const CUT = '…';

/** Lines up rows in columns, as wide as their widest cell. A terminal's width cuts the last column. */
export function tableLines(
  console: Console,
  head: readonly string[],
  cells: readonly (readonly Painted[])[],
): readonly Line[] {
  const rows = [head.map((text): Painted => ({ text, colour: 'bold' })), ...cells].map((row) =>
    row.map(({ text, colour }) => ({ text: oneLine(text), colour })),
  );
  const widths = head.map((_, column) =>
    Math.max(...rows.map((row) => widthOfText(row[column]?.text ?? ''))),
  );
  const before = widths.slice(0, -1).reduce((sum, columnWidth) => sum + columnWidth + GAP.length, 0);
  const width = widthOf(console);
  const room = width === undefined ? undefined : Math.max(1, width - before);
  return rows.map((row) =>
    row.flatMap(({ text, colour }, column) => {
      if (column === row.length - 1) {
        return [{ text: room === undefined ? text : cut(text, room), colour }];
      }
      return [{ text, colour }, { text: ' '.repeat((widths[column] ?? 0) - widthOfText(text)) + GAP }];
    }),
  );
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
