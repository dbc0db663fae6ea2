import { type Clock, type Disposable, Queue } from '../core/index.js';

import { SLICE_BYTES, type OutputWriter, type PacedItem, type Pacer } from './pacedWriter.js';
import { ParseProbes } from './parseProbes.js';

/**
 * The characters of a flood that are handed over at once. VS Code does not draw while it parses the text of one
 * message, and drawing costs it more than parsing. For 16 MiB its window needs 1.5 s of processor time in pieces of 16
 * KiB, and 1.1 s in pieces of 128 KiB. In pieces of this size it needs 0.85 s, and parses each in 9 ms.
 */
export const PIECE_CHARACTERS = 512 * 1024;
/**
 * The characters that may be on their way to the emulator, or wait there to be parsed. From here to the answer, a piece
 * takes 30 to 60 ms. With two pieces the emulator ran out of text (11 MB/s); with four it does not (13 MB/s).
 */
export const WINDOW_CHARACTERS = 4 * PIECE_CHARACTERS;
/**
 * While more characters than this are unparsed, smaller amounts wait for more text: the emulator has enough to do, and
 * every message costs time. On a busy machine this saves a fifth of the processor time of VS Code's window, and two
 * fifths of the extension host's.
 */
export const LEAST_CHARACTERS = 128 * 1024;
/**
 * The pause after a piece of at least {@link LEAST_CHARACTERS}, in milliseconds. VS Code joins the texts that it gets
 * within 5 ms. Making one message of them blocks its extension host: 20 ms for one piece, 50 ms for two.
 */
export const REST_MS = 10;
/** The characters that the emulator gets without being asked whether it has parsed them. */
export const PROBE_CHARACTERS = 64 * 1024;
/**
 * The time for the first answer, in milliseconds. After it, the link assumes that there will be no answer. A slow
 * emulator must not count as mute: it would get text at a pace that it cannot keep. All its later answers would then be
 * late, and it would count as asleep. The time is shorter than `STALL_MS`, so that a mute emulator misses nothing.
 */
export const FIRST_ANSWER_MS = 10_000;

/** An item that was handed over, and the position of its end. */
interface HandedOver {
  readonly item: PacedItem;
  readonly end: number;
}

/**
 * The link to a terminal's emulator, in both directions. It gives the emulator text as fast as the emulator can parse
 * it. VS Code takes everything that an extension hands it and reports nothing. The link therefore asks the emulator
 * itself ({@link ParseProbes}), and the answer is the acknowledgement. An item is `written` when it was parsed, if the
 * link has asked for that. Up to {@link PROBE_CHARACTERS} it does not ask, so that output after a pause does not wait.
 * Everything else that the emulator sends is forwarded.
 *
 * If the first answer does not come, the link keeps to the pace of the {@link Pacer} until it does. It also keeps to
 * that pace while there is no place for a question, for example inside a picture. If answers stop coming later, no more
 * text is handed over.
 */
export class EmulatorLink implements OutputWriter {
  readonly #clock: Clock;
  readonly #emit: (text: string) => void;
  readonly #paced: OutputWriter;
  readonly #probes: ParseProbes;
  /** The items that wait. */
  readonly #items = new Queue<PacedItem>();
  #waitingSize = 0;
  /** The items that were handed over and are not yet `written`, oldest first. */
  #handedOver: HandedOver[] = [];
  /** The positions of the questions that wait for their answer. Positions count characters, without the questions. */
  #asked: number[] = [];
  #given = 0;
  #lastAsked = 0;
  #parsed = 0;
  /** Whether the emulator was asked and does not answer. */
  #mute = false;
  #patience: Disposable | undefined;
  /** The pause after a large piece, during which the next one waits. */
  #rest: Disposable | undefined;
  /** Whether some items wait for their turn at the pacer. */
  #pacing = false;
  #running = false;
  #disposed = false;

  constructor(options: {
    pacer: Pacer;
    clock: Clock;
    /** Hands text to the emulator. */
    emit: (text: string) => void;
    /** Gets everything that the emulator sends, without its answers to the questions of this link. */
    forward: (input: string) => void;
  }) {
    this.#clock = options.clock;
    this.#emit = options.emit;
    this.#paced = options.pacer.writer(options.emit);
    this.#probes = new ParseProbes({
      clock: options.clock,
      forward: options.forward,
      answered: (count) => this.#answered(count),
    });
  }

  write(item: PacedItem): void {
    if (!this.#disposed) {
      this.#items.push(item);
      this.#waitingSize += item.size;
      this.#run();
    }
  }

  /** Takes everything that the emulator sends: typed or pasted text, and its answers. */
  receive(input: string): void {
    this.#probes.take(input);
  }

  dispose(): void {
    this.#disposed = true;
    this.#items.clear();
    this.#waitingSize = 0;
    this.#handedOver = [];
    this.#patience?.dispose();
    this.#rest?.dispose();
    this.#paced.dispose();
    this.#probes.dispose();
  }

  /**
   * Hands over as much as possible. A `written` callback may cause a call from inside the loop; the running loop then
   * continues.
   */
  #run(): void {
    if (this.#running) {
      return;
    }
    this.#running = true;
    try {
      do {
        this.#tellWritten();
      } while (this.#handOverSome());
    } finally {
      this.#running = false;
    }
  }

  /** Reports the items that were parsed, or all of them if no answer is expected. */
  #tellWritten(): void {
    const waits = !this.#mute && this.#asked.length > 0;
    const firstNot = waits ? this.#handedOver.findIndex(({ end }) => end > this.#parsed) : -1;
    for (const { item } of this.#handedOver.splice(0, firstNot < 0 ? this.#handedOver.length : firstNot)) {
      item.written?.();
    }
  }

  /** @returns whether something was handed over. */
  #handOverSome(): boolean {
    const pace = this.#pace();
    if (this.#pacing || this.#items.size === 0 || pace === 'wait') {
      return false;
    }
    const items = this.#takeSome(pace === 'free' ? this.#mostAtOnce : SLICE_BYTES);
    if (pace === 'free') {
      const text = this.#render(items);
      if (text !== '') {
        this.#emit(text);
      }
      if (text.length >= LEAST_CHARACTERS) {
        this.#rest = this.#clock.after(REST_MS, () => {
          this.#rest = undefined;
          this.#run();
        });
      }
      return true;
    }
    this.#pacing = true;
    this.#paced.write({
      size: items.reduce((sum, { size }) => sum + size, 0),
      render: () => ({ text: this.#render(items) }),
      written: () => {
        this.#pacing = false;
        this.#run();
      },
    });
    return !this.#pacing;
  }

  #pace(): 'free' | 'paced' | 'wait' {
    if (this.#rest !== undefined) {
      return 'wait';
    }
    if (this.#asked.length === 0) {
      return this.#given - this.#lastAsked < PROBE_CHARACTERS ? 'free' : 'paced';
    }
    if (this.#mute) {
      return 'paced';
    }
    const unparsed = this.#given - this.#parsed;
    const hasRoom = unparsed <= WINDOW_CHARACTERS - PIECE_CHARACTERS;
    const isWorthIt = unparsed <= LEAST_CHARACTERS || this.#waitingSize >= LEAST_CHARACTERS;
    return hasRoom && isWorthIt ? 'free' : 'wait';
  }

  /**
   * The most characters to take at once. A large piece is taken only once the link knows that there are places for
   * questions.
   */
  get #mostAtOnce(): number {
    return this.#asked.length === 0 ? PROBE_CHARACTERS : PIECE_CHARACTERS;
  }

  /** @param most The size to take, in bytes; the last item may exceed it. */
  #takeSome(most: number): readonly PacedItem[] {
    const taken: PacedItem[] = [];
    let size = 0;
    while (size < most) {
      const item = this.#items.shift();
      if (item === undefined) {
        break;
      }
      size += item.size;
      taken.push(item);
    }
    this.#waitingSize -= size;
    return taken;
  }

  /** Renders items, which then count as handed over, and puts a question into the text when it is time for one. */
  #render(items: readonly PacedItem[]): string {
    const start = this.#given;
    let text = '';
    let place: number | undefined;
    for (const item of items) {
      const rendered = item.render();
      place = rendered.safePlace === undefined ? place : text.length + rendered.safePlace;
      text += rendered.text;
      this.#handedOver.push({ item, end: start + text.length });
    }
    this.#given = start + text.length;
    const isTime = !this.#mute && this.#given - this.#lastAsked >= PROBE_CHARACTERS;
    if (place === undefined || !isTime) {
      return text;
    }
    this.#lastAsked = start + place;
    this.#asked.push(this.#lastAsked);
    this.#patience ??= this.#clock.after(FIRST_ANSWER_MS, () => {
      this.#mute = true;
      this.#run();
    });
    return text.slice(0, place) + this.#probes.ask() + text.slice(place);
  }

  #answered(count: number): void {
    this.#mute = false;
    this.#patience?.dispose();
    this.#parsed = this.#asked.splice(0, count).at(-1) ?? this.#parsed;
    this.#run();
  }
}
