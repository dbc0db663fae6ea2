import { type Clock, type Disposable, Queue, Semaphore } from '../core/index.js';

/**
 * The characters that all terminals together get in one tick. VS Code parses 11 to 16 MB/s, in the same thread that
 * draws its windows, and takes everything that an extension hands it. This pace, 4 MB/s, leaves most of that thread to
 * VS Code.
 */
export const CHARACTERS_PER_TICK = 64 * 1024;
export const TICK_MS = 16;
/**
 * The bytes that are turned into text and written at once. If several terminals wait, they get slices of this size in
 * turn.
 */
export const SLICE_BYTES = 16 * 1024;

/** Text for an emulator. */
export interface EmulatorText {
  readonly text: string;
  /**
   * The last place in the text where a query of our own changes nothing, as the number of characters before it.
   * Undefined if no such place is known.
   */
  readonly safePlace?: number | undefined;
}

/** A text to write. It is made only when its turn comes. */
export interface PacedItem {
  /** The approximate number of its characters. */
  readonly size: number;
  render(): EmulatorText;
  /** Called when the text was handed over or, if that is known, when it was parsed. */
  written?(): void;
}

/** Takes a terminal's text on its way to the emulator, in order. */
export interface OutputWriter extends Disposable {
  write(item: PacedItem): void;
}

/**
 * One pace for all terminals. Output after a pause is handed over at once. A flood is dealt out tick by tick, to the
 * terminals in turn.
 */
export class Pacer {
  /** The turns of replays: many at once would hold up the program for a second. */
  readonly replays = new Semaphore(1);
  readonly #clock: Clock;
  readonly #waiting: PacedWriter[] = [];
  #left = CHARACTERS_PER_TICK;
  #tick: Disposable | undefined;
  #running = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param emit Hands text to the emulator. */
  writer(emit: (text: string) => void): OutputWriter {
    return new PacedWriter(emit, (writer) => this.#schedule(writer));
  }

  #schedule(writer: PacedWriter): void {
    this.#enqueue(writer);
    this.#run();
  }

  /** Queues a writer, unless a write from inside its callbacks has already queued it. */
  #enqueue(writer: PacedWriter): void {
    if (!this.#waiting.includes(writer)) {
      this.#waiting.push(writer);
    }
  }

  #run(): void {
    // A callback can call a writer from inside this loop; the running loop then takes up the new text.
    if (this.#running) {
      return;
    }
    this.#running = true;
    while (this.#left > 0) {
      const writer = this.#waiting.shift();
      if (writer === undefined) {
        break;
      }
      this.#left -= writer.writeSome();
      if (writer.pending) {
        this.#enqueue(writer);
      }
    }
    this.#running = false;
    if (this.#left < CHARACTERS_PER_TICK) {
      this.#tick ??= this.#clock.after(TICK_MS, () => {
        this.#tick = undefined;
        // A write may exceed its tick; the next ticks give the excess back.
        this.#left = Math.min(CHARACTERS_PER_TICK, this.#left + CHARACTERS_PER_TICK);
        this.#run();
      });
    }
  }
}

class PacedWriter implements OutputWriter {
  readonly #emit: (text: string) => void;
  readonly #schedule: (writer: PacedWriter) => void;
  readonly #items = new Queue<PacedItem>();
  #disposed = false;

  constructor(emit: (text: string) => void, schedule: (writer: PacedWriter) => void) {
    this.#emit = emit;
    this.#schedule = schedule;
  }

  get pending(): boolean {
    return this.#items.size > 0;
  }

  write(item: PacedItem): void {
    if (!this.#disposed) {
      this.#items.push(item);
      this.#schedule(this);
    }
  }

  /**
   * Hands over about {@link SLICE_BYTES}.
   *
   * @returns the number of characters, or their approximate number if that is higher.
   */
  writeSome(): number {
    let size = 0;
    let text = '';
    const handedOver: PacedItem[] = [];
    while (size < SLICE_BYTES) {
      const item = this.#items.shift();
      if (item === undefined) {
        break;
      }
      size += item.size;
      text += item.render().text;
      handedOver.push(item);
    }
    if (text !== '') {
      this.#emit(text);
    }
    for (const item of handedOver) {
      item.written?.();
    }
    return Math.max(size, text.length);
  }

  dispose(): void {
    this.#disposed = true;
    this.#items.clear();
  }
}

/** Cuts a chunk into the pieces that are written one by one. */
export function slices(bytes: Uint8Array): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < bytes.byteLength; start += SLICE_BYTES) {
    pieces.push(bytes.subarray(start, start + SLICE_BYTES));
  }
  return pieces;
}
