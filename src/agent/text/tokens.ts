/** How many bytes of UTF-8 count as a token. The documented estimate of the agents that this is made for. */
export const BYTES_PER_TOKEN = 4;

/** What a text costs a model, estimated: its UTF-8 bytes divided by four, rounded up. */
export function estimateTokens(text: string): number {
  return tokensOfBytes(utf8Length(text));
}

export function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** The bytes of a text in UTF-8. A surrogate without its other half counts as the three bytes of U+FFFD. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 0x7f) {
      bytes += code > 0x7ff ? 2 : 1;
      if (isHighSurrogate(code) && isLowSurrogate(text.charCodeAt(index + 1))) {
        index += 1;
      }
    }
  }
  return bytes;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}

/** A smaller budget is taken for this one: less has no room for a part of a line and for what is left out. */
export const MIN_TOKENS = 256;

export function budgetBytes(maxTokens: number): number {
  return Math.max(Math.floor(maxTokens) || 0, MIN_TOKENS) * BYTES_PER_TOKEN;
}
