import { WireCode, WireError } from './errors.js';

export function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/**
 * Reads base64 in its one proper form: the standard alphabet, padded, nothing between.
 *
 * @param member What it is called where it comes from, for the error.
 * @throws WireError
 */
export function decodeBase64(text: string, member: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64');
  // Node reads whatever looks like base64. What it read is right exactly if it is written the same way.
  if (bytes.toString('base64') !== text) {
    const message = `"${member}" is wrong: it has to be base64 in the standard alphabet, padded`;
    throw new WireError(WireCode.invalidParams, message);
  }
  return bytes;
}
