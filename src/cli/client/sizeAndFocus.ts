import { type Disposable, DisposableStore, type ExecProcess, type TerminalSize } from '../../core/index.js';
import type { Connected } from '../connected.js';
import type { Console } from '../console.js';

/**
 * Keeps the size of a session at that of this terminal while this is the primary viewer. The primary viewer is the
 * terminal, in any window, that shows the session and had the focus last. It alone answers the program.
 */
export class SizeAndFocus implements Disposable {
  readonly #console: Console;
  readonly #process: ExecProcess;
  readonly #disposables = new DisposableStore();
  readonly #onPrimary: (primary: boolean) => void;
  readonly #resized = () => this.#resize();
  #primary: boolean | undefined;

  /** @param onPrimary Called at the beginning, and with each change. */
  constructor(
    console: Console,
    { backend }: Connected,
    process: ExecProcess,
    onPrimary: (primary: boolean) => void,
  ) {
    this.#console = console;
    this.#process = process;
    this.#onPrimary = onPrimary;
    this.#disposables.add(
      backend.onDidChange(({ processId }) => {
        if (processId === process.processId) {
          this.#look();
        }
      }),
    );
    console.stdout.on('resize', this.#resized);
    this.focus();
    this.#look();
  }

  /** A person types here: this terminal is the primary viewer from now on. */
  focus(): void {
    if (this.#primary !== true) {
      void this.#process.view('focused').catch(() => undefined);
    }
  }

  /** Has a full-screen program draw its screen anew. */
  redraw(): void {
    const size = this.#size();
    if (this.#primary === true && size !== undefined) {
      const other = { ...size, rows: size.rows > 1 ? size.rows - 1 : size.rows + 1 };
      void this.#tell(other).then(() => this.#tell(size));
    }
  }

  dispose(): void {
    this.#console.stdout.off('resize', this.#resized);
    this.#disposables.dispose();
  }

  #look(): void {
    const primary = this.#process.info().viewedElsewhere !== true;
    if (primary !== this.#primary) {
      this.#primary = primary;
      this.#onPrimary(primary);
      this.#resize();
    }
  }

  #resize(): void {
    const size = this.#size();
    if (this.#primary === true && size !== undefined) {
      void this.#tell(size);
    }
  }

  /** A program that has just ended has no size any more, which is no fault. */
  async #tell(size: TerminalSize): Promise<void> {
    await this.#process.resize(size).catch(() => undefined);
  }

  /** The size of this terminal; undefined while it has none, as in a window that is being made smaller. */
  #size(): TerminalSize | undefined {
    return terminalSize(this.#console);
  }
}

export function terminalSize(console: Console): TerminalSize | undefined {
  if (!console.onTerminal.output) {
    return undefined;
  }
  const { columns, rows } = console.stdout;
  return columns > 0 && rows > 0 ? { columns, rows } : undefined;
}
