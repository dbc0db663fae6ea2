import { cellsOf } from './cells.js';
import { INPUT_LIMIT_BYTES } from './inputQueue.js';

/** What a line of input does, where there is no terminal that would do it. */
export interface LineInputListener {
  /** Shows what was typed. */
  echo(text: string): void;
  /** A complete line, with its end. */
  line(text: string): void;
  /** Ctrl+D at the beginning of a line. */
  endOfInput(): void;
  /** Ctrl+C. */
  interrupt(): void;
  /** The line is as long as it may be: what follows is not taken. Said once for each line. */
  lineFull(): void;
}

/** A longer line could not be sent at once; its end has to fit as well. */
export const MAX_LINE_BYTES = INPUT_LIMIT_BYTES - 1;
/** Sequences of keys that mean nothing here, arrows and the like, and the marks around a paste. */
const KEY_SEQUENCES = /\u001b(?:\[[0-9;<=>?]*[ -/]*[@-~]|O.|.)?/g;
const ERASE = '\b \b';
/** How a tab is shown: where it would lead to depends on what the program wrote before, which is not known here. */
const TAB = '    ';

/**
 * Typing into a process that has no terminal: lines are shown and edited here, and sent when they are complete, as a
 * terminal's driver would do it.
 */
export class LineInput {
  readonly #listener: LineInputListener;
  /** What was typed since the last line, as code points. */
  #line: string[] = [];
  #lineBytes = 0;
  /** Something was refused because the line is full, and that was said. */
  #full = false;
  /** What is still to be shown of what was typed. */
  #echo = '';

  constructor(listener: LineInputListener) {
    this.#listener = listener;
  }

  /** Takes what was typed or pasted. */
  type(input: string): void {
    for (const character of input.replace(KEY_SEQUENCES, '').replace(/\r\n?/g, '\n')) {
      switch (character) {
        case '\n':
          this.#echo += '\r\n';
          this.#show();
          this.#listener.line(`${this.#takeLine()}\n`);
          break;
        case '\u0003':
          this.#echo += '^C\r\n';
          this.#show();
          this.#takeLine();
          this.#listener.interrupt();
          break;
        case '\u0004':
          this.#show();
          this.#endOfInput();
          break;
        case '\u007f':
        case '\b':
          this.#eraseLast();
          break;
        case '\u0015':
          this.#echo += ERASE.repeat(sum(this.#line.map(cellsShown)));
          this.#takeLine();
          break;
        default:
          if (character >= ' ' || character === '\t') {
            this.#add(character);
          }
      }
    }
    this.#show();
  }

  #show(): void {
    if (this.#echo !== '') {
      this.#listener.echo(this.#echo);
      this.#echo = '';
    }
  }

  /** What follows a character that was refused is refused as well: otherwise the line would have a hole. */
  #add(character: string): void {
    const bytes = utf8Length(character);
    if (!this.#full && this.#lineBytes + bytes <= MAX_LINE_BYTES) {
      this.#line.push(character);
      this.#lineBytes += bytes;
      this.#echo += shown(character);
    } else if (!this.#full) {
      this.#full = true;
      this.#show();
      this.#listener.lineFull();
    }
  }

  /** Takes away the last character, with the marks on it. */
  #eraseLast(): void {
    let cells = 0;
    while (cells === 0) {
      const last = this.#line.pop();
      if (last === undefined) {
        return;
      }
      this.#lineBytes -= utf8Length(last);
      this.#full = false;
      cells = cellsShown(last);
    }
    this.#echo += ERASE.repeat(cells);
  }

  /** The line so far; the next one begins. */
  #takeLine(): string {
    const line = this.#line.join('');
    this.#line = [];
    this.#lineBytes = 0;
    this.#full = false;
    return line;
  }

  /** As in a terminal: at the beginning of a line it ends the input, elsewhere it sends what is there. */
  #endOfInput(): void {
    if (this.#line.length === 0) {
      this.#listener.endOfInput();
    } else {
      this.#listener.line(this.#takeLine());
    }
  }
}

/** How a character is shown. Some controls would be commands to the terminal. */
function shown(character: string): string {
  return character === '\t' ? TAB : /\p{Cc}/u.test(character) ? '' : character;
}

function cellsShown(character: string): number {
  return character === '\t' ? TAB.length : cellsOf(character);
}

function utf8Length(character: string): number {
  const codePoint = character.codePointAt(0) ?? 0;
  return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
