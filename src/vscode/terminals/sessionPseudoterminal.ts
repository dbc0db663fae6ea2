import * as vscode from 'vscode';

import { DisposableStore, systemClock, type TerminalSize } from '../../core/index.js';
import type { Session } from '../../sessions/list/index.js';
import { SessionViewer, TabName, type ViewerOptions } from '../../sessions/viewer/index.js';
import { terminalName } from '../../sessions/words/index.js';

interface SessionPseudoterminalOptions extends Omit<ViewerOptions, 'host'> {
  /** The name that the terminal is created with. */
  readonly initialName: string;
  /** Called before a new name of ours replaces a name that a person may have given its tab. */
  readonly nameChanged: () => void;
  readonly sizeChanged: (size: TerminalSize) => void;
  /** Called when R was pressed and the terminal now shows another session. */
  readonly sessionChanged: (session: Session) => void;
}

/**
 * The delay after `open` until the terminal's name is sent once more, in milliseconds. VS Code's window draws a new
 * terminal some time after `open`, without an event, and then gives it the name from its creation. If the process has
 * ended by then, that would undo the change of the name.
 */
const NAME_SETTLED_MS = 1_000;

/** The VS Code side of a {@link SessionViewer}. */
export class SessionPseudoterminal implements vscode.Pseudoterminal, vscode.Disposable {
  readonly viewer: SessionViewer;
  readonly #disposables = new DisposableStore();
  readonly #didWrite = this.#disposables.add(new vscode.EventEmitter<string>());
  readonly #didChangeName = this.#disposables.add(new vscode.EventEmitter<string>());
  readonly #didOverrideDimensions = this.#disposables.add(
    new vscode.EventEmitter<vscode.TerminalDimensions | undefined>(),
  );
  readonly #didClose = this.#disposables.add(new vscode.EventEmitter<number | undefined>());

  readonly tabName: TabName;
  /** Whether this is the terminal of a task, which ends with it. */
  readonly ofTask: boolean;
  readonly #initialName: string;
  #name: string;

  readonly onDidWrite = this.#didWrite.event;
  readonly onDidChangeName = this.#didChangeName.event;
  readonly onDidOverrideDimensions = this.#didOverrideDimensions.event;
  readonly onDidClose = this.#didClose.event;

  constructor(options: SessionPseudoterminalOptions) {
    this.#initialName = options.initialName;
    this.#name = options.initialName;
    this.tabName = new TabName(options.initialName);
    this.ofTask = options.endsWithSession === true;
    this.viewer = this.#disposables.add(
      new SessionViewer({
        ...options,
        host: {
          write: (text) => this.#didWrite.fire(text),
          setName: (name) => {
            const next = terminalName(name);
            this.#name = next;
            options.nameChanged();
            // Unless a person has given the tab a name; that name was sent earlier.
            if (this.#name === next) {
              this.#sendName(next);
            }
          },
          close: (exitCode) => this.#didClose.fire(exitCode),
          sizeChanged: options.sizeChanged,
          fixSize: (size) => this.#didOverrideDimensions.fire(size),
          sessionChanged: options.sessionChanged,
        },
      }),
    );
  }

  /** The name that it has given the terminal last. */
  get name(): string {
    return this.#name;
  }

  open(dimensions: vscode.TerminalDimensions | undefined): void {
    this.viewer.open(sizeOf(dimensions));
    this.#disposables.add(
      systemClock.after(NAME_SETTLED_MS, () => {
        // An unnecessary change would undo the name that a person has given the tab meanwhile.
        if (this.#name !== this.#initialName) {
          this.#sendName(this.#name);
        }
      }),
    );
  }

  setDimensions(dimensions: vscode.TerminalDimensions): void {
    const size = sizeOf(dimensions);
    if (size !== undefined) {
      this.viewer.resize(size);
    }
  }

  handleInput(data: string): void {
    this.viewer.type(data);
  }

  close(): void {
    this.dispose();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #sendName(name: string): void {
    this.tabName.sent(name);
    this.#didChangeName.fire(name);
  }
}

/** VS Code may report that a terminal has no cells while it is not laid out yet. */
function sizeOf(dimensions: vscode.TerminalDimensions | undefined): TerminalSize | undefined {
  return dimensions !== undefined && dimensions.columns >= 1 && dimensions.rows >= 1
    ? { columns: dimensions.columns, rows: dimensions.rows }
    : undefined;
}
