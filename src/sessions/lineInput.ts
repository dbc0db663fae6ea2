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
}

/** A longer line is not taken further until it ends. */
const MAX_LINE = 64 * 1024;
/** Sequences of keys that mean nothing here, arrows and the like, and the marks around a paste. */
const KEY_SEQUENCES = /\u001b(?:\[[0-9;<=>?]*[ -/]*[@-~]|O.|.)?/g;
const ERASE = '\b \b';

/**
 * Typing into a process that has no terminal: lines are shown and edited here, and sent when they are complete, as a
 * terminal's driver would do it.
 */
export class LineInput {
  readonly #listener: LineInputListener;
  #line: string[] = [];

  constructor(listener: LineInputListener) {
    this.#listener = listener;
  }

  /** Takes what was typed or pasted. */
  type(input: string): void {
    let echo = '';
    const say = () => {
      if (echo !== '') {
        this.#listener.echo(echo);
        echo = '';
      }
    };
    for (const character of input.replace(KEY_SEQUENCES, '').replace(/\r\n?/g, '\n')) {
      switch (character) {
        case '\n':
          echo += '\r\n';
          say();
          this.#send();
          break;
        case '\u0003':
          echo += '^C\r\n';
          say();
          this.#line = [];
          this.#listener.interrupt();
          break;
        case '\u0004':
          say();
          this.#endOfInput();
          break;
        case '\u007f':
        case '\b':
          echo += this.#line.pop() === undefined ? '' : ERASE;
          break;
        case '\u0015':
          echo += ERASE.repeat(this.#line.length);
          this.#line = [];
          break;
        default:
          if ((character >= ' ' || character === '\t') && this.#line.length < MAX_LINE) {
            this.#line.push(character);
            echo += character;
          }
      }
    }
    say();
  }

  #send(): void {
    const line = this.#line.join('');
    this.#line = [];
    this.#listener.line(`${line}\n`);
  }

  /** As in a terminal: at the beginning of a line it ends the input, elsewhere it sends what is there. */
  #endOfInput(): void {
    if (this.#line.length === 0) {
      this.#listener.endOfInput();
    } else {
      const line = this.#line.join('');
      this.#line = [];
      this.#listener.line(line);
    }
  }
}
