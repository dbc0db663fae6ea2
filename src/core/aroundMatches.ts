/** A part of a text, in UTF-16 units. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** The number of places in a line that are shown. */
const MOST_PLACES = 3;
/** Stands for a part of a line that is left out. */
const CUT = '[…]';

/**
 * A line that a search has found, cut to about `length` characters around its first matches. A shorter line stays
 * whole.
 *
 * @param find The first match that begins at a place or after it.
 */
export function aroundMatches(
  line: string,
  find: (from: number) => Span | undefined,
  length: number,
): string {
  if (line.length <= length) {
    return line;
  }
  const size = Math.floor(length / MOST_PLACES);
  let text = '';
  let shownTo = 0;
  let match: Span | undefined = find(0) ?? { start: 0, end: 0 };
  for (let places = 0; match !== undefined && places < MOST_PLACES; places += 1) {
    const before = Math.max(0, Math.floor((size - (match.end - match.start)) / 2));
    const from = wholeAt(line, Math.max(shownTo, match.start - before));
    const to = wholeAt(line, from + size);
    text += `${from > shownTo ? `${text === '' ? '' : ' '}${CUT} ` : ''}${line.slice(from, to)}`;
    shownTo = to;
    match = to < line.length ? find(to) : undefined;
  }
  const rest = match === undefined ? CUT : `${CUT.slice(0, -1)} more matches in this line]`;
  return shownTo < line.length ? `${text} ${rest}` : text;
}

/** The place, or the one before it, if it is in the middle of a surrogate pair. */
function wholeAt(text: string, place: number): number {
  const code = text.charCodeAt(place);
  return code >= 0xdc00 && code < 0xe000 ? place - 1 : place;
}
