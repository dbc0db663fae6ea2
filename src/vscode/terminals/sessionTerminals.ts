import * as vscode from 'vscode';

import { DisposableStore, systemClock, type TerminalSize } from '../../core/index.js';
import type { Session, SessionList } from '../../sessions/list/index.js';
import { Pacer } from '../../terminal/index.js';
import { type SessionViewer, type Viewer, Viewers } from '../../sessions/viewer/index.js';
import type { CloseAction } from '../../sessions/options/index.js';
import { oneLine, shorten, terminalName } from '../../sessions/words/index.js';
import type { Dialogs } from '../dialogs.js';
import { errorText } from '../userError.js';
import { afterClosing, closedByPerson } from './closeAction.js';
import { SessionPseudoterminal } from './sessionPseudoterminal.js';

export interface SessionTerminalsOptions {
  readonly list: SessionList;
  readonly dialogs: Dialogs;
  /** The action for a running session whose last terminal the user has closed. Read each time. */
  readonly onClose: () => CloseAction;
  /** Stops a session with progress, a Cancel button, and a message about the outcome. */
  readonly stop: (session: Session) => Promise<void>;
  /** Starts the program of a session again. */
  readonly runAgain: (session: Session) => Promise<Session>;
  readonly log: vscode.LogOutputChannel;
}

export interface OpenOptions {
  readonly preserveFocus?: boolean;
  /** Whether to open another terminal even if one shows the session already. */
  readonly newTerminal?: boolean;
  /** The column of the editor area to open a new terminal in; without one it opens in the panel. */
  readonly column?: vscode.ViewColumn;
  /** Whether the session has just been started, so that no part of its output has ever been shown. */
  readonly fresh?: boolean;
}

const NAME_LENGTH = 80;

/** The terminals of VS Code that show sessions. A session runs on without one, and several can show it. */
export class SessionTerminals implements vscode.Disposable {
  readonly #options: SessionTerminalsOptions;
  readonly #disposables = new DisposableStore();
  readonly #pacer = new Pacer(systemClock);
  readonly #viewers = new Viewers((session, size) => this.#resize(session, size));
  readonly #open = new Map<vscode.Terminal, SessionPseudoterminal>();
  /** Environments about which the user was told that their terminals cannot be resized. */
  readonly #explained = new Set<string>();
  #lastSize: TerminalSize | undefined;

  constructor(options: SessionTerminalsOptions) {
    this.#options = options;
    this.#disposables.add(
      vscode.window.onDidChangeActiveTerminal((terminal) => {
        const viewer = this.#viewerOf(terminal);
        if (viewer !== undefined) {
          this.#viewers.focus(viewer);
        }
      }),
    );
    this.#disposables.add(vscode.window.onDidCloseTerminal((terminal) => this.#closed(terminal)));
    this.#disposables.add(
      options.list.onDidChange(({ type, session }) => {
        if (type === 'removed') {
          this.#sessionRemoved(session);
        }
      }),
    );
  }

  /** The latest size of any of these terminals, which is the best guess for the next one. */
  get lastSize(): TerminalSize | undefined {
    return this.#lastSize;
  }

  sessionOf(terminal: vscode.Terminal | undefined): Session | undefined {
    return this.#viewerOf(terminal)?.session;
  }

  /** Shows a session: in the terminal that shows it already, or in a new one. */
  open(session: Session, options: OpenOptions = {}): vscode.Terminal {
    const preserveFocus = options.preserveFocus ?? false;
    const shown = options.newTerminal === true ? undefined : this.#terminalOf(session);
    const terminal = shown ?? this.#create(session, options);
    terminal.show(preserveFocus);
    return terminal;
  }

  /**
   * Closes the terminals that show these sessions.
   *
   * @returns their number.
   */
  closeOf(sessions: readonly Session[]): number {
    const shown = [...this.#open].filter(([, { viewer }]) => sessions.includes(viewer.session));
    for (const [terminal] of shown) {
      terminal.dispose();
    }
    return shown.length;
  }

  /**
   * Runs the command of an ended session again, in the terminal that shows it if there is one.
   *
   * @returns the new session; undefined if it could not be started, which the terminal says.
   * @throws the reason if no terminal shows the session.
   */
  async runAgainInPlace(session: Session): Promise<Session | undefined> {
    const terminal = this.#terminalOf(session);
    const viewer = this.#viewerOf(terminal);
    return viewer?.canRunAgain === true ? viewer.runAgain() : this.#options.runAgain(session);
  }

  dispose(): void {
    this.#disposables.dispose();
    for (const pseudoterminal of this.#open.values()) {
      pseudoterminal.dispose();
    }
    this.#open.clear();
  }

  #create(session: Session, { fresh = false, preserveFocus = false, column }: OpenOptions): vscode.Terminal {
    const { log } = this.#options;
    const pseudoterminal = new SessionPseudoterminal({
      session,
      fresh,
      focused: !preserveFocus,
      viewers: this.#viewers,
      pacer: this.#pacer,
      clock: systemClock,
      l10n: vscode.l10n,
      runAgain: this.#options.runAgain,
      explainFixedSize: (environment) => {
        const first = !this.#explained.has(environment);
        this.#explained.add(environment);
        return first;
      },
      sizeChanged: (size) => {
        this.#lastSize = size;
      },
      sessionChanged: (next) => log.info(`${mark(next)} took over a terminal`),
    });
    const terminal = vscode.window.createTerminal({
      name: terminalName(shorten(oneLine(session.label), NAME_LENGTH)),
      pty: pseudoterminal,
      iconPath: new vscode.ThemeIcon('terminal'),
      isTransient: true,
      ...(column !== undefined && { location: { viewColumn: column, preserveFocus } }),
    });
    this.#open.set(terminal, pseudoterminal);
    return terminal;
  }

  #viewerOf(terminal: vscode.Terminal | undefined): SessionViewer | undefined {
    return terminal === undefined ? undefined : this.#open.get(terminal)?.viewer;
  }

  /** The session's terminal that had the focus last; before any was opened, the one that is about to be. */
  #terminalOf(session: Session): vscode.Terminal | undefined {
    const terminals = [...this.#open].filter(([, { viewer }]) => viewer.session === session);
    const [focused]: readonly (Viewer | undefined)[] = this.#viewers.of(session);
    return (terminals.find(([, { viewer }]) => viewer === focused) ?? terminals[0])?.[0];
  }

  #resize(session: Session, size: TerminalSize): void {
    const hasSize = session.request.tty && !session.lacks.includes('resize');
    if (!hasSize || session.ended || session.state === 'starting') {
      return;
    }
    const current = session.process.info().size;
    if (current?.columns !== size.columns || current.rows !== size.rows) {
      session.process.resize(size).catch((error: unknown) => {
        this.#options.log.warn(`${mark(session)} was not resized: ${oneLine(errorText(error))}`);
      });
    }
  }

  #sessionRemoved(session: Session): void {
    for (const { viewer } of this.#open.values()) {
      if (viewer.session === session) {
        viewer.sessionRemoved();
      }
    }
  }

  #closed(terminal: vscode.Terminal): void {
    const pseudoterminal = this.#open.get(terminal);
    if (pseudoterminal === undefined) {
      return;
    }
    const { session } = pseudoterminal.viewer;
    this.#open.delete(terminal);
    pseudoterminal.dispose();
    if (closedByPerson(terminal) && !session.ended && this.#terminalOf(session) === undefined) {
      const reopen = () => void this.open(session);
      const { dialogs, log, onClose } = this.#options;
      const stop = () => this.#options.stop(session);
      void afterClosing(session, { action: onClose(), dialogs, log, stop, reopen });
    }
  }
}

/** Enough of the session's id to find its other lines in the log. */
function mark(session: Session): string {
  return `[${session.id.slice(0, 8)}]`;
}
