import type { OutputStream } from '../core/index.js';

import { EscapeScanner, type ControlSequence } from './escapeScanner.js';

interface Output {
  readonly stream: OutputStream;
  readonly bytes: Uint8Array;
}

/** Returns output as a document; see {@link PlainText}. */
export function plainText(chunks: Iterable<Output>): string {
  const document = new PlainText();
  let text = '';
  for (const chunk of chunks) {
    text += document.write(chunk);
  }
  return text + document.end();
}

/**
 * Output as a document, without escape sequences and with `\n` between lines. Lines that a carriage return or a
 * backspace has overwritten are shown as they were at the end. The document shows what the lines of the output mean. It
 * is not a screen: a full-screen program leaves its words in the order in which it wrote them.
 */
export class PlainText {
  readonly #lines = new Lines();
  readonly #streams = new Map<
    OutputStream,
    { decoder: InstanceType<typeof TextDecoder>; scanner: EscapeScanner }
  >();

  /** @returns the lines that have ended. The last one is held back, since later output may overwrite it. */
  write({ stream, bytes }: Output): string {
    let reader = this.#streams.get(stream);
    if (reader === undefined) {
      reader = { decoder: new TextDecoder(), scanner: new EscapeScanner() };
      this.#streams.set(stream, reader);
    }
    this.#lines.write(reader.scanner, reader.decoder.decode(bytes, { stream: true }));
    return this.#lines.takeEnded();
  }

  /** The line that is held back, as it is now. */
  get last(): string {
    return this.#lines.last;
  }

  /** The part of that line in front of the cursor. */
  get beforeCursor(): string {
    return this.#lines.beforeCursor;
  }

  /** The length of that line in characters. */
  get lastLength(): number {
    return this.#lines.lastLength;
  }

  /** Ends the output. @returns the line that was held back. */
  end(): string {
    for (const { decoder, scanner } of this.#streams.values()) {
      this.#lines.write(scanner, decoder.decode());
    }
    return this.#lines.takeEnded() + this.#lines.last;
  }
}

/** The control characters that move within a line or end it, and the text between them. */
const PIECES = /[\r\n\b]|[^\r\n\b]+/g;
const UNSEEN = /[\u0000-\u0007\u000b-\u001f\u007f-\u009f]/g;

/** Lines; the last one can be overwritten from any column. */
class Lines {
  #ended = '';
  /** Characters of the line that is being written; `#column` is the place of the next one. */
  #line: (string | undefined)[] = [];
  #column = 0;

  write(scanner: EscapeScanner, output: string): void {
    for (const token of scanner.scan(output)) {
      if (token.type === 'text') {
        this.#text(token.text);
      } else if (token.type === 'control') {
        this.#control(token);
      }
    }
  }

  #text(text: string): void {
    for (const [piece] of text.matchAll(PIECES)) {
      if (piece === '\n') {
        this.#ended += `${this.last}\n`;
        this.#line = [];
        this.#column = 0;
      } else if (piece === '\r') {
        this.#column = 0;
      } else if (piece === '\b') {
        this.#column = Math.max(0, this.#column - 1);
      } else {
        this.#put(piece.replace(UNSEEN, ''));
      }
    }
  }

  /** Carries out the sequences with which progress bars go back and wipe their earlier text. */
  #control({ prefix, params, intermediates, final }: ControlSequence): void {
    if (prefix !== '' || intermediates !== '') {
      return;
    }
    const count = Number.parseInt(params, 10) || 0;
    if (final === 'K') {
      this.#wipe(count);
    } else if (final === 'G') {
      this.#column = Math.min(Math.max(0, count - 1), this.#line.length);
    } else if (final === 'D') {
      this.#column = Math.max(0, this.#column - Math.max(1, count));
    }
  }

  /** Returns the lines that have ended since the last call. */
  takeEnded(): string {
    const ended = this.#ended;
    this.#ended = '';
    return ended;
  }

  get lastLength(): number {
    return this.#line.length;
  }

  get last(): string {
    return textOf(this.#line);
  }

  get beforeCursor(): string {
    return textOf(this.#line.slice(0, this.#column));
  }

  /** Wipes the whole line, or from the column on. Wiping up to the column is for screens alone. */
  #wipe(count: number): void {
    if (count === 2) {
      this.#line = [];
    } else if (count !== 1) {
      this.#line.length = Math.min(this.#line.length, this.#column);
    }
  }

  #put(text: string): void {
    if (this.#column === 0 && this.#line.length === 0) {
      this.#line = Array.from(text);
      this.#column = this.#line.length;
      return;
    }
    for (const character of text) {
      this.#line[this.#column] = character;
      this.#column += 1;
    }
  }
}

/** Places that were wiped, or skipped, and not written again are spaces. */
function textOf(line: readonly (string | undefined)[]): string {
  return Array.from(line, (character) => character ?? ' ').join('');
}
