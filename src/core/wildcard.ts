/** A name or a pattern, character by character, in the form in which its case does not count. */
export type Folded = readonly string[];

/** Folds the case of a text. Characters are those of Unicode, so that `?` is one of them. */
export function fold(text: string): Folded {
  return Array.from(text, (character) => character.toLowerCase());
}

/**
 * Whether the pattern matches the whole name: `*` is any text, `?` any one character. It takes at most as many steps as
 * the product of both lengths, whatever they are: only the last `*` ever has to take more, since earlier ones that would
 * leave less to those behind them.
 */
export function matchesWildcard(name: Folded, pattern: Folded): boolean {
  let at = 0;
  let next = 0;
  let lastStar = -1;
  let afterStar = 0;
  while (at < name.length) {
    const wanted = pattern[next];
    if (wanted === '*') {
      lastStar = next;
      afterStar = at;
      next += 1;
    } else if (wanted === '?' || (wanted !== undefined && wanted === name[at])) {
      at += 1;
      next += 1;
    } else if (lastStar >= 0) {
      afterStar += 1;
      at = afterStar;
      next = lastStar + 1;
    } else {
      return false;
    }
  }
  while (pattern[next] === '*') {
    next += 1;
  }
  return next === pattern.length;
}
