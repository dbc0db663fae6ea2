import { Terminal } from '@xterm/headless';

/** A real terminal emulator without a window, of the size that the recordings were made in. */
export class Emulator {
  /** Its answers so far. */
  said = '';
  readonly #terminal = new Terminal({ cols: 80, rows: 24, allowProposedApi: true, logLevel: 'off' });

  /** @param onSaid Called with each of its answers, while it parses. */
  constructor(onSaid?: (answer: string) => void) {
    this.#terminal.onData((data) => {
      this.said += data;
      onSaid?.(data);
    });
  }

  /** Resolves when it has parsed the text. */
  write(text: string): Promise<void> {
    return new Promise((resolve) => this.#terminal.write(text, resolve));
  }

  /** Everything visible, and the state that it depends on. */
  screen(): string {
    const { active, normal } = this.#terminal.buffer;
    const lines = [normal, active].map((buffer) =>
      Array.from({ length: buffer.length }, (_, row) => buffer.getLine(row)?.translateToString(true)),
    );
    return JSON.stringify([active.type, active.cursorX, active.cursorY, this.#terminal.modes, lines]);
  }

  dispose(): void {
    this.#terminal.dispose();
  }
}

/** The screen and the answers of an emulator that gets a text as a whole. */
export async function emulate(text: string): Promise<{ said: string; screen: string }> {
  const emulator = new Emulator();
  await emulator.write(text);
  const { said } = emulator;
  const screen = emulator.screen();
  emulator.dispose();
  return { said, screen };
}
