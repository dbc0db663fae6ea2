import { WireCode, WireError } from './errors.js';

const PADDING = 0x3d;
const QUAD = 4;
const NO_SYMBOL = /[^A-Za-z0-9+/]/;

export function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/**
 * Reads base64 in its one proper form: the standard alphabet, padded, nothing between.
 *
 * @throws WireError what the real server says of the first fault.
 */
export function decodeBase64(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64');
  // Node reads whatever looks like base64. What it read is right exactly if it is written the same way.
  if (bytes.toString('base64') !== text) {
    throw new WireError(WireCode.invalidParams, describeFault(Buffer.from(text)));
  }
  return bytes;
}

/**
 * Looks at the text as the real server does: one symbol too many first, then whole quads, then the last one, which
 * alone may be padded or incomplete.
 */
function describeFault(text: Buffer): string {
  const lastQuad = Math.max(0, Math.ceil(text.length / QUAD) * QUAD - QUAD);
  const extra = text.length % QUAD === 1 ? (text.at(-1) ?? PADDING) : PADDING;
  if (extra !== PADDING && !isSymbol(extra)) {
    // A newline at the end, most often.
    return invalidSymbol(extra, text.length - 1);
  }
  // One character for each byte; a search, since the text may be long.
  const offset = text.toString('latin1', 0, lastQuad).search(NO_SYMBOL);
  if (offset !== -1) {
    return invalidSymbol(text[offset] ?? 0, offset);
  }
  return describeLastQuad(text.subarray(lastQuad), lastQuad);
}

function describeLastQuad(quad: Buffer, start: number): string {
  let symbols = 0;
  for (const [offset, symbol] of quad.entries()) {
    if (symbol === PADDING && offset >= 2) {
      continue;
    }
    if (symbols < offset) {
      return invalidSymbol(PADDING, start + symbols);
    }
    if (!isSymbol(symbol)) {
      return invalidSymbol(symbol, start + offset);
    }
    symbols += 1;
  }
  if (symbols < 2) {
    return `Invalid input length: ${start + symbols}`;
  }
  if (quad.length < QUAD) {
    return 'Invalid padding';
  }
  return `Invalid last symbol ${quad[symbols - 1] ?? 0}, offset ${start + symbols - 1}.`;
}

function invalidSymbol(symbol: number, offset: number): string {
  return `Invalid symbol ${symbol}, offset ${offset}.`;
}

function isSymbol(byte: number): boolean {
  return !NO_SYMBOL.test(String.fromCharCode(byte));
}
