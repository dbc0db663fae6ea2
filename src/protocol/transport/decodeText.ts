import { isUtf8 } from 'node:buffer';

/** Stands before what is no text, so that nobody takes it for a message. */
const NO_TEXT = '\ufffd';

/**
 * The text of a message. Bytes that are no text are shown as far as they go, for a log, but are no message any more:
 * otherwise a command or a path would be taken for another one that the peer never wrote.
 */
export function decodeText(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString() : NO_TEXT + bytes.toString();
}
