import { eastAsianWidth } from 'get-east-asian-width';

/** Characters that are drawn onto the one before them, or not at all. A soft hyphen is drawn. */
const WITHOUT_CELL = /[\p{Mn}\p{Me}\p{Cc}\u1160-\u11ff]|(?!\u00ad)\p{Cf}/u;

/** How many cells of a terminal a character takes: one code point each, as VS Code's terminal counts. */
export function cellsOf(character: string): number {
  return WITHOUT_CELL.test(character) ? 0 : eastAsianWidth(character.codePointAt(0) ?? 0);
}
