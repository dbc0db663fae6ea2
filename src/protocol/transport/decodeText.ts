import { isUtf8 } from 'node:buffer';

/** The mark before invalid UTF-8, with which no JSON text begins, so that it is not taken for a message. */
const NO_TEXT = '\ufffd';

/**
 * Decodes the text of a message. Invalid UTF-8 is decoded as far as possible, for a log, and marked so that it is no
 * message any more: otherwise a command or a path would be taken for another one that the peer never wrote.
 */
export function decodeText(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString() : NO_TEXT + bytes.toString();
}
