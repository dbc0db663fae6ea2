import { isUtf8 } from 'node:buffer';

/** The mark before invalid UTF-8. No JSON text begins with it, so the text is not taken for a message. */
const NO_TEXT = '\ufffd';

/**
 * Decodes the text of a message. Invalid UTF-8 is decoded as far as possible, for a log, and marked so that it is no
 * longer a message. Otherwise it could become a command or a path that the peer never wrote.
 */
export function decodeText(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString() : NO_TEXT + bytes.toString();
}
