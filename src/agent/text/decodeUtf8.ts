/** Text, and where in the bytes each of its UTF-16 units came from. */
export interface Decoded {
  readonly text: string;
  /** Byte offsets of the units and of the end; undefined if `utf8Length` of the text before a unit gives it. */
  readonly offsets: Uint32Array | undefined;
  /** Whether every unit is one byte. */
  readonly ascii: boolean;
}

const NOT_ASCII = /[^\u0000-\u007f]/;
const REPLACEMENT = 0xfffd;
/** The first byte that may follow where it is not 0x80, by lead byte; and the last where it is not 0xbf. */
const SECOND_FROM: Readonly<Record<number, number>> = { 0xe0: 0xa0, 0xf0: 0x90 };
const SECOND_TO: Readonly<Record<number, number>> = { 0xed: 0x9f, 0xf4: 0x8f };

/** Decodes bytes. What is no UTF-8 becomes U+FFFD, as the Encoding Standard has it: one for each broken character. */
export function decodeUtf8(bytes: Uint8Array): Decoded {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (text.length === bytes.length && !NOT_ASCII.test(text)) {
    return { text, offsets: undefined, ascii: true };
  }
  const offsets = text.includes('\ufffd') ? unitOffsets(bytes, text.length) : undefined;
  return { text, offsets, ascii: false };
}

/** How many bytes at the end are the beginning of a character that more bytes could complete. At most three. */
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

/** How many bytes the character at a place takes, or the broken beginning of one. */
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

/** What the first byte of a character promises; 0 if no character begins with it. */
function expectedLength(lead: number): number {
  if (lead < 0x80) {
    return 1;
  }
  if (lead < 0xc2 || lead > 0xf4) {
    return 0;
  }
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}
