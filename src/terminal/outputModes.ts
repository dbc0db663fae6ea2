import type { ExecProcess, ModesReader } from '../core/index.js';

import type { ControlSequence } from './escapeScanner.js';
import { TerminalModes } from './terminalModes.js';

/**
 * The sequences that {@link TerminalModes} follows: escape sequences, control sequences, and strings that set the
 * palette. Colours, styles and character sets are read apart from these.
 */
const SEQUENCES =
  /\u001b(?:([c=>78H])|\[([<=>?]?)([0-9;:]{0,256})([ !]?)([hlrupqsg])|\[>(4[0-9;]{0,8})m|\](4|1[0-9]|104|11[0-9])(?:;([^\u0007\u001b]{0,256}))?[\u0007\u001b])/g;
const COLORS = /\u001b\[([0-9;:]{0,256})m/g;
/** The beginning of one of these at the end of a piece. */
const BEGUN = /\u001b(?:[()*+]|\[[<=>?]?[0-9;:]{0,256}[ !]?|\][0-9]{0,3}(?:;[^\u0007\u001b]{0,256})?)?$/;
/** The longest begun sequence, in characters. */
const MOST_BEGUN = 264;
/** The beginnings of the sequences that designate a character set. Curses writes one with each change of colour. */
const CHARSET_SLOTS = ['\u001b(', '\u001b)', '\u001b*', '\u001b+'];
const RESET = '\u001bc';
/** The most text that is searched for colours and styles, in characters from its end. */
const MOST_COLORED = 4096;
/** Sequences after which no earlier colours and styles are left. */
const PLAIN = ['\u001b[m', '\u001b[0m', '\u001b[0;'];

/**
 * Reads the modes from output that nobody draws. It is several times as fast as reading all sequences, since the output
 * that a log evicts in a flood goes through here. It reads only the last colours, styles and character sets in a piece.
 */
export class OutputModes implements ModesReader {
  readonly modes = new TerminalModes();
  #begun = '';

  get sequences(): string {
    return this.modes.begin();
  }

  restart(sequences: string): void {
    this.#begun = '';
    this.take(Buffer.from(RESET + sequences));
  }

  take(bytes: Uint8Array): void {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (this.#begun === '' && !buffer.includes(0x1b) && !buffer.includes(0x0e) && !buffer.includes(0x0f)) {
      return;
    }
    const text = this.#begun + buffer.toString('latin1');
    this.modes.text(text);
    for (const match of text.matchAll(SEQUENCES)) {
      const [, escape, prefix = '', params = '', intermediates = '', final, keys, osc, payload = ''] = match;
      if (final !== undefined) {
        this.modes.sequence(control(prefix, params, intermediates, final));
      } else if (keys !== undefined) {
        this.modes.sequence(control('>', keys, '', 'm'));
      } else if (osc !== undefined) {
        this.modes.colors.take(Number(osc), payload);
      } else {
        this.modes.escape(escape ?? '');
      }
    }
    const reset = text.lastIndexOf(RESET);
    for (const slot of CHARSET_SLOTS) {
      const place = text.lastIndexOf(slot);
      this.modes.escape(place > reset ? text.slice(place + 1, place + 3) : '');
    }
    for (const [, params = ''] of text.slice(plainPlace(text)).matchAll(COLORS)) {
      this.modes.sequence(control('', params, '', 'm'));
    }
    this.#begun = BEGUN.exec(text.slice(-MOST_BEGUN))?.[0] ?? '';
  }
}

/**
 * Reads the modes that a program has given to its terminal from its retained output.
 *
 * @param through The number up to which the output is read.
 */
export function modesNow(
  process: Pick<ExecProcess, 'info' | 'subscribe'>,
  through = process.info().output.lastSeq,
): Promise<TerminalModes> {
  const output = new OutputModes();
  if (through === 0) {
    return Promise.resolve(output.modes);
  }
  return new Promise((resolve) => {
    // Nothing is delivered before the next turn, so the subscription is there by then.
    const subscription = process.subscribe({ borrows: true, passive: true }, (event) => {
      if (event.type === 'output') {
        output.take(event.bytes);
      } else if (event.type === 'gap' && event.modes !== undefined) {
        output.restart(event.modes);
      }
      const seq = event.type === 'gap' ? event.throughSeq : event.type === 'failed' ? through : event.seq;
      if (seq >= through) {
        subscription.dispose();
        resolve(output.modes);
      }
    });
  });
}

/** The place after which the colours and styles at the end of the text were set. */
function plainPlace(text: string): number {
  const places = PLAIN.map((sequence) => text.lastIndexOf(sequence));
  return Math.max(text.length - MOST_COLORED, 0, ...places);
}

function control(prefix: string, params: string, intermediates: string, final: string): ControlSequence {
  return { type: 'control', raw: '', prefix, params, intermediates, final };
}
