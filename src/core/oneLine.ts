/**
 * Characters that are invisible, or that change how a line reads: controls, ends of lines, direction marks, halves of
 * surrogate pairs, and everything else that is drawn as nothing. Joiners and variation selectors are not among them, because emoji and
 * letters need them.
 */
export const UNSEEN =
  /(?![\u200c\u200d\ufe00-\ufe0f])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** How much of a command line is enough to know it again, in characters. */
export const LINE_LENGTH = 200;

/** Text from outside on one line, without characters that hide or reorder what it says, and cut to `length` characters. */
export function oneLine(text: string, length = Infinity): string {
  return shorten(text.replace(UNSEEN, ' ').replace(/ {2,}/g, ' ').trim(), length);
}

/** Cuts a text that is longer than `length` characters; an ellipsis is then its last character. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  // No more of a long text is looked at than can be a part of the result.
  const characters = Array.from(text.slice(0, 2 * (length + 1)));
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
