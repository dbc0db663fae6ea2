/** The UTF-8 bytes of a text. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The text of some UTF-8 chunks. */
export function textOf(chunks: Iterable<{ readonly bytes: Uint8Array }>): string {
  return Buffer.concat([...chunks].map(({ bytes }) => bytes)).toString();
}
