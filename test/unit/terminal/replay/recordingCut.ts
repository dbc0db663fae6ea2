import type { TerminalSize } from '../../../../src/core/index.js';
import { HeadlessTerminal } from '../../../../src/terminal/headless.js';
import { Replay } from '../../../../src/terminal/replay/replay.js';
import { TerminalFilter } from '../../../../src/terminal/terminalFilter.js';
import type { Resize } from '../../../support/recordings/index.js';
import { usualSize } from '../../../support/usualSize.js';
import { differences, stateOf } from './emulatorState.js';

/** Output arrives in pieces of at most this many bytes. */
const PIECE = 16 * 1024;

interface Emulator {
  resize(size: TerminalSize): void;
  write(text: string): void;
}

/** The differences between an emulator that was there all the time and a viewer that came at a cut. */
export interface Difference {
  /** Right after the replay. */
  readonly now: readonly string[];
  /** After the rest of the recording. */
  readonly later: readonly string[];
}

/** A fresh emulator as VS Code has it. */
export function freshEmulator({ columns, rows }: TerminalSize): HeadlessTerminal {
  return new HeadlessTerminal({ columns, rows, scrollback: 1_000 });
}

/** Plays a recording up to a cut, shows it to a viewer of this size, then plays the rest to both. */
export function cutRecording(
  bytes: Uint8Array,
  resizes: readonly Resize[],
  cut: number,
  size: TerminalSize,
): Difference {
  const player = new Player(bytes, resizes);
  const live = freshEmulator(usualSize());
  const replay = new Replay({ size: usualSize(), marks: false });
  const viewer = freshEmulator(size);
  try {
    player.play(cut, [asEmulator(live), replay]);
    asEmulator(live).resize(size);
    viewer.write(replay.text(size, player.modes(size)));
    const now = differences(stateOf(live), stateOf(viewer));
    player.play(bytes.byteLength, [asEmulator(live), asEmulator(viewer)]);
    return { now, later: differences(stateOf(live), stateOf(viewer)) };
  } finally {
    replay.dispose();
    live.terminal.dispose();
    viewer.terminal.dispose();
  }
}

function asEmulator(headless: HeadlessTerminal): Emulator {
  return {
    resize: ({ columns, rows }) => headless.terminal.resize(columns, rows),
    write: (text) => headless.write(text),
  };
}

/** Plays a recording through one filter, as a viewer gets it. */
class Player {
  readonly #bytes: Uint8Array;
  readonly #resizes: Resize[];
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #filter: TerminalFilter;
  #size = usualSize();
  #place = 0;

  constructor(bytes: Uint8Array, resizes: readonly Resize[]) {
    this.#bytes = bytes;
    this.#resizes = [...resizes];
    this.#filter = new TerminalFilter(() => this.#size);
    this.#filter.report(false);
  }

  /** The modes of the program so far, for an emulator that has been given this size. */
  modes(size: TerminalSize): string {
    this.#resize(size);
    return this.#filter.modes.set();
  }

  /** Goes on up to this place. A string that is not complete there is broken off, as before any other text. */
  play(place: number, emulators: readonly Emulator[]): void {
    for (let next = this.#resizes[0]; next !== undefined && next.after < place; next = this.#resizes[0]) {
      this.#resizes.shift();
      this.#write(next.after, emulators);
      this.#resize(next);
      emulators.forEach((emulator) => emulator.resize(this.#size));
    }
    this.#write(place, emulators);
    const end = this.#filter.interrupt();
    emulators.forEach((emulator) => emulator.write(end));
  }

  #resize({ columns, rows }: TerminalSize): void {
    if (columns !== this.#size.columns || rows !== this.#size.rows) {
      this.#size = { columns, rows };
      this.#filter.modes.resized();
    }
  }

  #write(place: number, emulators: readonly Emulator[]): void {
    while (this.#place < place) {
      const bytes = this.#bytes.subarray(this.#place, Math.min(place, this.#place + PIECE));
      this.#place += bytes.byteLength;
      const text = this.#filter.write(this.#decoder.decode(bytes, { stream: true }), false);
      emulators.forEach((emulator) => emulator.write(text));
    }
  }
}
