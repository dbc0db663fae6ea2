import { Unicode11Addon } from '@xterm/addon-unicode11';
import { Terminal } from '@xterm/headless';

/**
 * The synchronous parser of xterm.js. Its public `write` parses in a later turn of the event loop, so that every line
 * would cost a timer's delay.
 */
interface Core {
  writeSync(data: string): void;
}

/** @throws Error if this is another xterm.js than the one that the dependencies pin. */
function coreOf(terminal: Terminal): Core {
  const core = (terminal as unknown as { readonly _core?: Partial<Core> })._core;
  if (typeof core?.writeSync !== 'function') {
    throw new Error(
      '@xterm/headless has no _core.writeSync any more, which src/terminal/headless.ts is made for.',
    );
  }
  return core as Core;
}

export interface HeadlessOptions {
  readonly columns: number;
  readonly rows: number;
  /** Rows kept above the screen. */
  readonly scrollback: number;
  /** The table of cell widths: VS Code's default, or the other value of `terminal.integrated.unicodeVersion`. */
  readonly unicode?: '6' | '11' | undefined;
}

/** The terminal of VS Code without a display. */
export class HeadlessTerminal {
  readonly terminal: Terminal;
  readonly #core: Core;

  constructor({ columns, rows, scrollback, unicode = '11' }: HeadlessOptions) {
    this.terminal = new Terminal({
      cols: columns,
      rows,
      scrollback,
      allowProposedApi: true,
      logLevel: 'off',
    });
    this.terminal.loadAddon(new Unicode11Addon());
    this.terminal.unicode.activeVersion = unicode;
    this.#core = coreOf(this.terminal);
  }

  /** Parses the data before it returns. */
  write(data: string): void {
    this.#core.writeSync(data);
  }
}
