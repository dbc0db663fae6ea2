/**
 * Characters that are invisible, or that change how a line reads. They are controls, ends of lines, direction marks,
 * halves of surrogate pairs, and everything else that is drawn as nothing. Joiners and variation selectors are not
 * among them, because emoji and letters need them.
 */
export const UNSEEN =
  /(?![\u200c\u200d\ufe00-\ufe0f])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Text from outside, with a space for each character that is invisible or reorders the text. Its length may change. */
export function withoutUnseen(text: string): string {
  return text.replace(UNSEEN, ' ');
}

/** JSON of a value that may contain text from outside, with invisible and reordering characters written as `\u202e`. */
export function plainJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSEEN, (character) =>
    Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** How much of a text is read to make one line of it, as a multiple of the line's length. The rest is ignored. */
const READ_AHEAD = 10;

/** The length of a command line that is enough to recognize it, in characters. */
export const LINE_LENGTH = 200;

/** Puts text from outside on one line, without characters that hide or reorder it, and cut to `length` characters. */
export function oneLine(text: string, length = Infinity): string {
  return shorten(
    withoutUnseen(text.slice(0, READ_AHEAD * length))
      .replace(/ {2,}/g, ' ')
      .trim(),
    length,
  );
}

/** Cuts a text that is longer than `length` characters; its last character is then an ellipsis. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  // Only the start of a long text can be a part of the result.
  const characters = Array.from(text.slice(0, 2 * (length + 1)));
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
