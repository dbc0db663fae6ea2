import { WireCode, WireError } from './errors.js';

export function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/**
 * Decodes base64 in its one proper form: the standard alphabet, padded, without any other character.
 *
 * @param member The name of the member that contains the text, for the error.
 * @throws WireError if the text is anything else.
 */
export function decodeBase64(text: string, member: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64');
  // Node accepts anything that resembles base64. The text is proper exactly if encoding the bytes gives it back.
  if (bytes.toString('base64') !== text) {
    const message = `"${member}" is wrong: it has to be base64 in the standard alphabet, padded`;
    throw new WireError(WireCode.invalidParams, message);
  }
  return bytes;
}
