/** A text whose middle may have been left out. */
interface TruncatedText {
  readonly text: string;
  /** The estimated tokens of the whole text, if something was left out of it. */
  readonly originalTokens?: number;
}

/** The two ends of a text in UTF-8. If the text is no longer than the ends that are kept, `head` is the whole text. */
interface TextEnds {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  readonly totalBytes: number;
}

const BYTES_PER_TOKEN = 4;
/**
 * The number in the marker changes the marker's length, and with it the amount left out, which is that number. It
 * settles in fewer rounds than this.
 */
const MAX_ROUNDS = 4;
const NEWLINE = 0x0a;

/** Leaves out the middle of a text that is longer than `maxBytes` bytes of UTF-8; see {@link truncateEnds}. */
export function truncateMiddle(text: string, maxBytes: number): TruncatedText {
  const bytes = new TextEncoder().encode(text);
  return truncateEnds({ head: bytes, tail: bytes, totalBytes: bytes.byteLength }, maxBytes);
}

/**
 * Joins the ends of a text around a marker with the number of tokens that are left out, within `maxBytes` bytes. Each
 * end gets half of the room beside the marker. It is cut at a line end if it has one, else between two characters. If
 * not even the marker fits, the result is the marker alone, and may be longer than `maxBytes`.
 *
 * @param ends Either at least `maxBytes` long, or the whole text.
 */
export function truncateEnds({ head, tail, totalBytes }: TextEnds, maxBytes: number): TruncatedText {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  if (totalBytes <= maxBytes) {
    return { text: decoder.decode(head) };
  }
  const originalTokens = tokensOf(totalBytes);
  let guess = originalTokens;
  for (let round = 1; ; round++) {
    const marker = `…${guess} tokens truncated…`;
    const budget = maxBytes - new TextEncoder().encode(marker).byteLength;
    if (budget <= 0) {
      return { text: `…${originalTokens} tokens truncated…`, originalTokens };
    }
    const left = Math.floor(budget / 2);
    const before = head.subarray(0, headEnd(head, left));
    const behind = tail.subarray(tailStart(tail, budget - left));
    const leftOut = tokensOf(totalBytes - before.byteLength - behind.byteLength);
    if (leftOut === guess || round > MAX_ROUNDS) {
      return { text: `${decoder.decode(before)}${marker}\n${decoder.decode(behind)}`, originalTokens };
    }
    guess = leftOut;
  }
}

function tokensOf(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** How many bytes of the beginning are kept. */
function headEnd(head: Uint8Array, budget: number): number {
  const newline = head.subarray(0, budget).lastIndexOf(NEWLINE);
  if (newline >= 0) {
    return newline + 1;
  }
  let end = budget;
  while (end > 0 && isInsideCharacter(head[end])) {
    end -= 1;
  }
  return end;
}

/** The index of the first byte of the end that is kept. */
function tailStart(tail: Uint8Array, budget: number): number {
  let start = tail.byteLength - budget;
  const newline = tail.indexOf(NEWLINE, start);
  if (newline >= 0) {
    return newline + 1;
  }
  while (start < tail.byteLength && isInsideCharacter(tail[start])) {
    start += 1;
  }
  return start;
}

/** Whether a byte continues a character of UTF-8. */
function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;
}
