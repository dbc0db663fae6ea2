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
  /** Whether the session has just been started, so that no part of its output has ever been shown. */
  readonly fresh?: boolean;
}

const NAME_LENGTH = 80;

/** The terminals of VS Code that show sessions. A session runs on without one, and several can show it. */
export class SessionTerminals implements vscode.Disposable {
  readonly #options: SessionTerminalsOptions;
  readonly #disposables = new DisposableStore();
  readonly #pacer = new Pacer(systemClock);
  readonly #viewers = new Viewers({
    resize: (session, size) => this.#resize(session, size),
    isElsewhere: (session) => session.process.info().viewedElsewhere === true,
    // Other windows are told as far as they can be.
    tell: (session, state) => void session.process.view(state).catch(() => undefined),
  });
  readonly #open = new Map<vscode.Terminal, SessionPseudoterminal>();
  readonly #didChange = this.#disposables.add(new vscode.EventEmitter<void>());
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
        } else {
          this.#viewers.look(session);
        }
      }),
    );
    this.#disposables.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        const viewer = this.#viewerOf(vscode.window.activeTerminal);
        if (focused && viewer !== undefined) {
          this.#viewers.focus(viewer);
        }
      }),
    );
  }

  /** The latest size of any of these terminals, which is the best guess for the next one. */
  get lastSize(): TerminalSize | undefined {
    return this.#lastSize;
  }

  /** Fires when a terminal was opened or closed, or shows another session. */
  get onDidChange(): vscode.Event<void> {
    return this.#didChange.event;
  }

  /** The open terminals, oldest first. */
  get all(): readonly { readonly terminal: vscode.Terminal; readonly session: Session }[] {
    return [...this.#open].map(([terminal, { viewer }]) => ({ terminal, session: viewer.session }));
  }

  /** Opens a terminal again that was open before, without showing it. `column` is its editor column, if it had one. */
  reopen(session: Session, column: number | undefined): vscode.Terminal {
    return this.#create(session, false, false, column);
  }

  sessionOf(terminal: vscode.Terminal | undefined): Session | undefined {
    return this.#viewerOf(terminal)?.session;
  }

  /** Shows a session: in the terminal that shows it already, or in a new one. */
  open(session: Session, options: OpenOptions = {}): vscode.Terminal {
    const preserveFocus = options.preserveFocus ?? false;
    const shown = options.newTerminal === true ? undefined : this.#terminalOf(session);
    const terminal = shown ?? this.#create(session, options.fresh ?? false, !preserveFocus);
    terminal.show(preserveFocus);
    return terminal;
  }

  dispose(): void {
    this.#disposables.dispose();
    for (const pseudoterminal of this.#open.values()) {
      pseudoterminal.dispose();
    }
    this.#open.clear();
  }

  #create(session: Session, fresh: boolean, focused: boolean, column?: number): vscode.Terminal {
    const { log } = this.#options;
    const pseudoterminal = new SessionPseudoterminal({
      session,
      fresh,
      focused,
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
      sessionChanged: (next) => {
        log.info(`${mark(next)} took over a terminal`);
        this.#didChange.fire();
      },
    });
    const terminal = vscode.window.createTerminal({
      name: terminalName(shorten(oneLine(session.label), NAME_LENGTH)),
      pty: pseudoterminal,
      iconPath: new vscode.ThemeIcon('terminal'),
      isTransient: true,
      ...(column !== undefined && { location: { viewColumn: column, preserveFocus: true } }),
    });
    this.#open.set(terminal, pseudoterminal);
    this.#didChange.fire();
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
    // A terminal that VS Code closes with the window is opened again with the next one.
    if (terminal.exitStatus?.reason !== vscode.TerminalExitReason.Shutdown) {
      this.#didChange.fire();
    }
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
