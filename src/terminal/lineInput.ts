import { cellsOf } from './cells.js';
import { INPUT_LIMIT_BYTES } from './inputQueue.js';
import { plainKeys } from './typedKeys.js';

/** Carries out the effects of a line of input, without a terminal that would do it. */
interface LineInputListener {
  /** Shows typed text. */
  echo(text: string): void;
  /** Takes a complete line, with its end. */
  line(text: string): void;
  /** Ctrl+D at the beginning of a line. */
  endOfInput(): void;
  /** Ctrl+C. */
  interrupt(): void;
  /** The line has its full length, and further text is refused. Called once for each line. */
  lineFull(): void;
}

/** The longest line that can be sent at once, in bytes, without its end, which must fit as well. */
export const MAX_LINE_BYTES = INPUT_LIMIT_BYTES - 1;
/**
 * Sequences that have no meaning here: keys such as arrows, the marks around a paste, and an emulator's answers, which
 * are strings.
 */
const KEY_SEQUENCES =
  /\u001b(?:\[[0-9;<=>?]*[ -/]*[@-~]|O.|[\]P_^X][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)?/g;
const ERASE = '\b \b';
/** The text that a tab is shown as. Its real width depends on the program's earlier output, which is unknown here. */
const TAB = '    ';

/**
 * Takes typing for a process that has no terminal. Like a terminal's driver, it shows and edits lines, and sends
 * complete ones.
 */
export class LineInput {
  readonly #listener: LineInputListener;
  /** The text typed since the last line, as code points. */
  #line: string[] = [];
  #lineBytes = 0;
  /** Whether text was refused because the line is full, and that was said. */
  #full = false;
  /** Typed text that is still to be shown. */
  #echo = '';

  constructor(listener: LineInputListener) {
    this.#listener = listener;
  }

  /** Takes typed or pasted text. */
  type(input: string): void {
    for (const character of plainKeys(input).replace(KEY_SEQUENCES, '').replace(/\r\n?/g, '\n')) {
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

  /** Adds a character. After a refused character, all text is refused: otherwise the line would have a hole. */
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

  /** Erases the last character, with the marks on it. */
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

  /** Returns the line so far and begins the next one. */
  #takeLine(): string {
    const line = this.#line.join('');
    this.#line = [];
    this.#lineBytes = 0;
    this.#full = false;
    return line;
  }

  /** Acts as a terminal does: at the beginning of a line this ends the input, elsewhere it sends the line so far. */
  #endOfInput(): void {
    if (this.#line.length === 0) {
      this.#listener.endOfInput();
    } else {
      this.#listener.line(this.#takeLine());
    }
  }
}

/**
 * The text that a character is shown as. It is empty for controls other than a tab, since some are commands to the
 * terminal.
 */
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
