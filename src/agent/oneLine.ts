/** Text on one line of at most `length` UTF-16 units, without control characters. */
export function oneLine(text: string, length = 200): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  if (line.length <= length) {
    return line;
  }
  // The cut must not split a surrogate pair.
  return `${line.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
