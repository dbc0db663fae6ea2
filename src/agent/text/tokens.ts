/** The bytes of UTF-8 that count as a token. This is the documented estimate of the agents that it is made for. */
export const BYTES_PER_TOKEN = 4;

/** The estimated number of tokens of a text: its UTF-8 bytes divided by four, rounded up. */
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

/** The smallest budget: smaller ones are raised to it. Less has no room for a part of a line and a note on the rest. */
export const MIN_TOKENS = 256;

export function budgetBytes(maxTokens: number): number {
  return Math.max(Math.floor(maxTokens) || 0, MIN_TOKENS) * BYTES_PER_TOKEN;
}
