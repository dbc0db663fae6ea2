/** A name or a pattern, character by character, with its case folded. */
export type Folded = readonly string[];

/** Folds the case of a text. Characters are Unicode code points, so that `?` matches one of them. */
export function fold(text: string): Folded {
  return Array.from(text, (character) => character.toLowerCase());
}

/**
 * Whether the pattern matches the whole name: `*` is any text, `?` any one character. It takes at most as many steps as
 * the product of both lengths. Only the last `*` ever has to take more: more for an earlier one would leave less to
 * those after it.
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
