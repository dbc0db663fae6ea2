/**
 * The parts of a regular expression, as far as they matter for its size. The last alternative takes everything else,
 * one unit at a time.
 */
const PARTS = new RegExp(
  [
    String.raw`(?<quoted>\\Q(?:[^\\]|\\(?!E))*(?:\\E)?)`,
    String.raw`(?<unicode>\\[pP](?:\{[^}]*\}|.)?)`,
    String.raw`(?<escaped>\\x\{[^}]*\}|\\[^])`,
    String.raw`(?<set>\[\^?\]?(?:\[:\^?[a-z]+:\]|\\[^]|[^\]\\])*\])`,
    String.raw`(?<flags>\(\?[a-zA-Z-]*\))`,
    String.raw`(?<open>\((?:\?(?:P?<[^>]*>|[a-zA-Z-]*:))?)`,
    String.raw`(?<close>\))`,
    String.raw`\{(?<least>\d+)(?<range>,(?<most>\d*))?\}`,
    String.raw`(?<operator>[*+?|])`,
    String.raw`(?<other>[^])`,
  ].join('|'),
  'g',
);

/**
 * What the compiler makes of these before anything is matched takes as long as so many instructions: all characters of
 * a class of Unicode, and all cases of the characters of a range that goes beyond ASCII.
 */
const UNICODE_WEIGHT = 100;
const UNICODE = /\\[pP]|-(?:\\x|[^\0-\u007f])/g;

/**
 * Estimates how many instructions a regular expression is compiled to, before it is: to compile a large one blocks for
 * long. Classes of Unicode count more. The estimate is never under half of the truth.
 */
export function estimatePatternSize(pattern: string): number {
  /** The open groups: the size before them, and that of what captures them. */
  const outer: { readonly before: number; readonly ends: number }[] = [];
  let weight = 0;
  let size = 0;
  /** The size of the last part, to which a repetition applies. */
  let last = 0;
  const add = (part: number) => {
    last = part;
    size += part;
  };
  for (const { 0: text, groups = {} } of pattern.matchAll(PARTS)) {
    if (groups['open'] !== undefined) {
      outer.push({ before: size, ends: text.endsWith(':') ? 0 : 2 });
      size = 0;
    } else if (groups['close'] !== undefined) {
      const { before, ends } = outer.pop() ?? { before: 0, ends: 0 };
      const group = size + ends;
      size = before;
      add(group);
    } else if (groups['least'] !== undefined) {
      const times = Math.max(1, Number(groups['least']), Number(groups['most'] ?? 0));
      size -= last;
      add(times * (last + (groups['range'] === undefined ? 0 : 1)));
    } else if (groups['quoted'] !== undefined) {
      add(text.length);
    } else if (groups['flags'] === undefined) {
      weight += UNICODE_WEIGHT * (text.match(UNICODE)?.length ?? 0);
      add(1);
    }
  }
  return outer.reduce((sum, { before }) => sum + before, size) + weight;
}
