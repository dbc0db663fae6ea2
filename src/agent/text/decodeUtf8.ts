/** Decoded text, and the byte offset of each of its UTF-16 units. */
export interface Decoded {
  readonly text: string;
  /** Byte offsets of the units and of the end; undefined if each is the `utf8Length` of the text before it. */
  readonly offsets: Uint32Array | undefined;
  /** Whether every unit is one byte. */
  readonly ascii: boolean;
}

const NOT_ASCII = /[^\u0000-\u007f]/;
const REPLACEMENT = 0xfffd;
/** The lowest second byte by lead byte where it is not 0x80, and the highest where it is not 0xbf. */
const SECOND_FROM: Readonly<Record<number, number>> = { 0xe0: 0xa0, 0xf0: 0x90 };
const SECOND_TO: Readonly<Record<number, number>> = { 0xed: 0x9f, 0xf4: 0x8f };

/** Decodes bytes. Invalid UTF-8 becomes U+FFFD, one for each broken character, as the Encoding Standard has it. */
export function decodeUtf8(bytes: Uint8Array): Decoded {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (text.length === bytes.length && !NOT_ASCII.test(text)) {
    return { text, offsets: undefined, ascii: true };
  }
  const offsets = text.includes('\ufffd') ? unitOffsets(bytes, text.length) : undefined;
  return { text, offsets, ascii: false };
}

/** The number of bytes at the end, at most three, that begin a character which more bytes could complete. */
export function incompleteTail(bytes: Uint8Array): number {
  for (let length = 1; length <= Math.min(3, bytes.length); length++) {
    const lead = bytes[bytes.length - length] ?? 0;
    if (lead >= 0x80 && lead < 0xc0) {
      continue;
    }
    const { used, whole } = characterAt(bytes, bytes.length - length);
    return !whole && used === length && expectedLength(lead) > length ? length : 0;
  }
  return 0;
}

function unitOffsets(bytes: Uint8Array, units: number): Uint32Array {
  const offsets = new Uint32Array(units + 1);
  let unit = 0;
  for (let offset = 0; offset < bytes.length;) {
    const { used, whole } = characterAt(bytes, offset);
    offsets[unit++] = offset;
    if (whole && used === 4) {
      offsets[unit++] = offset;
    }
    offset += used;
  }
  offsets[units] = bytes.length;
  return offsets;
}

/** The number of bytes that the character at an offset takes, or the broken beginning of one. */
function characterAt(bytes: Uint8Array, offset: number): { used: number; whole: boolean } {
  const lead = bytes[offset] ?? REPLACEMENT;
  const expected = expectedLength(lead);
  if (expected <= 1) {
    return { used: 1, whole: expected === 1 };
  }
  for (let index = 1; index < expected; index++) {
    const byte = bytes[offset + index] ?? 0;
    const from = index === 1 ? (SECOND_FROM[lead] ?? 0x80) : 0x80;
    const to = index === 1 ? (SECOND_TO[lead] ?? 0xbf) : 0xbf;
    if (byte < from || byte > to) {
      return { used: index, whole: false };
    }
  }
  return { used: expected, whole: true };
}

/** The length of a character in bytes, by its first byte; 0 if no character begins with that. */
function expectedLength(lead: number): number {
  if (lead < 0x80) {
    return 1;
  }
  if (lead < 0xc2 || lead > 0xf4) {
    return 0;
  }
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}
