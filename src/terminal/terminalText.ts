import type { OutputStream } from '../core/index.js';

import type { EmulatorText } from './pacedWriter.js';
import { SgrState } from './sgrState.js';
import { TerminalFilter } from './terminalFilter.js';

const ERROR_COLOR = '\u001b[31m';
const PLAIN = '\u001b[0m';

/** The bytes of a process on their way to become what one terminal writes. */
export interface TerminalText {
  /** The title that the program has set last; empty if it has not. */
  readonly title: string;
  /** How often the emulator was asked where the cursor is, and may answer. */
  readonly cursorQueries: number;
  /** @param answering Whether the emulator may answer what this output asks. */
  write(stream: OutputStream, bytes: Uint8Array, answering: boolean): EmulatorText;
  /** Whether the emulator may speak by itself, if the program wants it to; returns what brings it there. */
  report(reporting: boolean): string;
  /** Puts text of our own between two pieces of output. */
  insert(text: string): string;
  /** Some output is missing here: what was incomplete stays so. */
  cut(): string;
  /** The output is over: makes the emulator fit for plain lines. */
  finish(): string;
}

export function terminalText(tty: boolean): TerminalText {
  return tty ? new RawText() : new PipeText();
}

/** What a terminal's program says is for a terminal already. */
class RawText implements TerminalText {
  readonly #filter = new TerminalFilter();
  #decoder = utf8Decoder();

  get title(): string {
    return this.#filter.title;
  }

  get cursorQueries(): number {
    return this.#filter.cursorQueries;
  }

  write(_stream: OutputStream, bytes: Uint8Array, answering: boolean): EmulatorText {
    const text = this.#filter.write(this.#decoder.decode(bytes, { stream: true }), answering);
    return { text, safePlace: this.#filter.safePlace };
  }

  report(reporting: boolean): string {
    return this.#filter.report(reporting);
  }

  insert(text: string): string {
    return this.#filter.interrupt() + text;
  }

  cut(): string {
    const rest = this.#filter.write(this.#decoder.decode(), false);
    this.#decoder = utf8Decoder();
    return rest + this.#filter.cut();
  }

  finish(): string {
    return this.cut() + this.#filter.finish();
  }
}

type Utf8Decoder = InstanceType<typeof TextDecoder>;

interface PipeStream {
  readonly name: OutputStream;
  readonly filter: TerminalFilter;
  readonly style: SgrState;
  decoder: Utf8Decoder;
}

/**
 * Two pipes on one screen: a line feed also returns, stderr has a colour of its own where its program sets none, and
 * what one of them sets does not colour the other.
 */
class PipeText implements TerminalText {
  readonly #stdout = this.#stream('stdout');
  readonly #stderr = this.#stream('stderr');
  /** Whose output came last, and so whose colours are set. */
  #last: PipeStream | undefined;
  #afterReturn = false;

  get title(): string {
    return this.#stdout.filter.title || this.#stderr.filter.title;
  }

  get cursorQueries(): number {
    return this.#stdout.filter.cursorQueries + this.#stderr.filter.cursorQueries;
  }

  write(name: OutputStream, bytes: Uint8Array, answering: boolean): EmulatorText {
    const stream = name === 'stderr' ? this.#stderr : this.#stdout;
    const change = stream === this.#last ? '' : this.#changeTo(stream);
    const text = stream.filter.write(stream.decoder.decode(bytes, { stream: true }), answering);
    const { safePlace } = stream.filter;
    return {
      text: change + text,
      safePlace: safePlace === undefined ? undefined : change.length + safePlace,
    };
  }

  report(reporting: boolean): string {
    return this.#stdout.filter.report(reporting) + this.#stderr.filter.report(reporting);
  }

  insert(text: string): string {
    const out = (this.#last?.filter.interrupt() ?? '') + PLAIN + text;
    this.#last = undefined;
    this.#afterReturn = false;
    return out;
  }

  cut(): string {
    return this.#streams.map((stream) => this.#cutStream(stream)).join('');
  }

  finish(): string {
    return this.cut() + this.#streams.map((stream) => stream.filter.finish()).join('');
  }

  get #streams(): readonly PipeStream[] {
    return this.#last === this.#stderr ? [this.#stderr, this.#stdout] : [this.#stdout, this.#stderr];
  }

  #changeTo(stream: PipeStream): string {
    const interrupted = this.#last?.filter.interrupt() ?? '';
    // Nothing has been set before the first piece of all.
    const plain = this.#last === undefined && stream.name === 'stdout' ? '' : PLAIN;
    this.#last = stream;
    return interrupted + plain + baseColor(stream) + stream.style.restore();
  }

  #cutStream(stream: PipeStream): string {
    const rest = stream.decoder.decode();
    stream.decoder = utf8Decoder();
    const change = rest === '' || stream === this.#last ? '' : this.#changeTo(stream);
    return change + stream.filter.write(rest, false) + stream.filter.cut();
  }

  #stream(name: OutputStream): PipeStream {
    const style = new SgrState();
    const filter = new TerminalFilter({
      text: (text) => this.#breakLines(text),
      colors: (params) => {
        style.apply(params);
        return baseColor(stream);
      },
    });
    const stream: PipeStream = { name, filter, style, decoder: utf8Decoder() };
    return stream;
  }

  #breakLines(text: string): string {
    const lines = text.replace(/\r?\n/g, '\r\n');
    // The cut may have come between the two.
    const doubled = this.#afterReturn && text.startsWith('\n');
    this.#afterReturn = text.endsWith('\r');
    return doubled ? lines.slice(1) : lines;
  }
}

/** What a stream is written in while its program has set no colour. */
function baseColor({ name, style }: PipeStream): string {
  return name === 'stderr' && !style.hasForeground ? ERROR_COLOR : '';
}

/** Characters may be split between the chunks; a mark of the byte order is a character like others. */
function utf8Decoder(): Utf8Decoder {
  return new TextDecoder('utf-8', { ignoreBOM: true });
}
