import { eastAsianWidth } from 'get-east-asian-width';

/** Characters that are drawn onto the one before them, or not at all. A soft hyphen is not among them: it is drawn. */
const WITHOUT_CELL = /[\p{Mn}\p{Me}\p{Cc}\u1160-\u11ff]|(?!\u00ad)\p{Cf}/u;

/**
 * The number of cells of a terminal that a character takes. Each code point counts by itself, as in VS Code's terminal.
 */
export function cellsOf(character: string): number {
  return WITHOUT_CELL.test(character) ? 0 : eastAsianWidth(character.codePointAt(0) ?? 0);
}
