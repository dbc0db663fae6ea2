/**
 * The last safe place in a text: after a control character, or between two ASCII characters. In these places neither
 * side joins the other, in any version of Unicode.
 *
 * @returns the number of characters before it; undefined if no place is known as safe.
 */
export function safePlaceIn(text: string): number | undefined {
  for (let place = text.length; place > 0; place--) {
    const before = text.charCodeAt(place - 1);
    if (before < 0x20 || (isAscii(before) && isAscii(text.charCodeAt(place)))) {
      return place;
    }
  }
  return undefined;
}

function isAscii(code: number): boolean {
  return code >= 0x20 && code < 0x7f;
}
