import { type ExitStatus, oneLine, plainJson } from '../../core/index.js';
import { type Console, type Line, lineText, type Painted } from '../console.js';
import { tableLines } from './table.js';

/** How a command that runs in several places has ended in one of them. */
export type PlaceEnd = { readonly name: string } & (
  | { readonly kind: 'started'; readonly id: string }
  | { readonly kind: 'exited'; readonly id: string; readonly exit: ExitStatus; readonly seconds: number }
  /** It was not started, or its end cannot be known. */
  | { readonly kind: 'lost'; readonly id: string | undefined; readonly reason: string }
);

const HEAD = ['PLACE', 'END', 'SECONDS', 'REASON'];

/** A row for each place, and a line that counts. */
export function tableOfEnds(console: Console, ends: readonly PlaceEnd[]): readonly string[] {
  const table = tableLines(console, HEAD, ends.map(cellsOf));
  return [...table, countText(ends)].map((line: Line) => lineText(console, line));
}

function cellsOf(end: PlaceEnd): readonly Painted[] {
  const texts = [end.name, ...endTexts(end)];
  const colour = isGood(end) ? undefined : 'red';
  return texts.map((text, column) => ({ text, ...(column === 1 && { colour }) }));
}

function endTexts(end: PlaceEnd): readonly string[] {
  switch (end.kind) {
    case 'started':
      return ['started', '', ''];
    case 'exited':
      return [end.exit.signal ?? `exit ${end.exit.exitCode}`, end.seconds.toFixed(1), ''];
    case 'lost':
      return ['lost', '', oneLine(end.reason, 200)];
  }
}

/** `12 of 16 exit 0, 3 failed, 1 lost` */
function countText(ends: readonly PlaceEnd[]): string {
  const good = ends.filter(isGood).length;
  const lost = ends.filter(({ kind }) => kind === 'lost').length;
  const failed = ends.length - good - lost;
  return [
    `${good} of ${ends.length} exit 0`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(lost > 0 ? [`${lost} lost`] : []),
  ].join(', ');
}

function isGood(end: PlaceEnd): boolean {
  return end.kind === 'started' || (end.kind === 'exited' && end.exit.exitCode === 0);
}

/** The ends as JSON in one line, in the shape that docs/command-line.md documents. */
export function manyJson(ends: readonly PlaceEnd[]): string {
  return plainJson({
    version: 1,
    places: ends.map((end) => ({
      place: end.name,
      id: end.id ?? null,
      exitCode: end.kind === 'exited' ? end.exit.exitCode : null,
      signal: end.kind === 'exited' ? (end.exit.signal ?? null) : null,
      seconds: end.kind === 'exited' ? end.seconds : null,
      lost: end.kind === 'lost' ? end.reason : null,
    })),
  });
}
