import { randomUUID } from 'node:crypto';

import * as vscode from 'vscode';

import {
  delay,
  type Disposable,
  DisposableStore,
  oneLine,
  shorten,
  systemClock,
  type TerminalSize,
} from '../../core/index.js';
import type { Session, SessionList } from '../../sessions/list/index.js';
import { Pacer } from '../../terminal/index.js';
import { type SessionViewer, type Viewer, type ViewerOptions, Viewers } from '../../sessions/viewer/index.js';
import { terminalName } from '../../sessions/words/index.js';
import { logMark } from '../log.js';
import { errorText } from '../userError.js';
import { closedByPerson } from './closeAction.js';
import type { LastSize } from './lastSize.js';
import { sessionMarks, shellNonce } from './shellIntegration.js';
import { SessionPseudoterminal } from './sessionPseudoterminal.js';

interface SessionTerminalsOptions {
  readonly list: SessionList;
  /** Starts the program of a session again. */
  readonly runAgain: (session: Session) => Promise<Session>;
  /** A person has closed the last terminal of this running session. */
  readonly closed: (session: Session) => void;
  readonly sizes: LastSize;
  readonly log: vscode.LogOutputChannel;
}

interface OpenOptions {
  readonly preserveFocus?: boolean;
  /** Whether to open another terminal even if one shows the session already. */
  readonly newTerminal?: boolean;
  /** The column of the editor area to open a new terminal in; without one it opens in the panel. */
  readonly column?: vscode.ViewColumn;
  /** Whether the session has just been started, so that no part of its output has ever been shown. */
  readonly fresh?: boolean;
  /** The terminal to split: the new one appears beside it. */
  readonly beside?: vscode.Terminal;
}

const NAME_LENGTH = 80;

/** The time for which a program has one row less, so that it notices, in milliseconds. */
const REDRAW_MS = 250;

/** An option of VS Code from 1.104 on; older ones ignore it. */
interface ShellIntegrationNonce {
  readonly shellIntegrationNonce: string;
}

/** The terminals of VS Code that show sessions. A session runs on without one, and several can show it. */
export class SessionTerminals implements vscode.Disposable {
  readonly #options: SessionTerminalsOptions;
  readonly #disposables = new DisposableStore();
  readonly #pacer = new Pacer(systemClock);
  readonly #viewers = new Viewers({
    resize: (session, size) => this.#resize(session, size),
    redraw: (session, size) => void this.#redraw(session, size),
    isElsewhere: (session) => session.process.info().viewedElsewhere === true,
    // Other windows are told as far as they can be.
    tell: (session, state) => void session.process.view(state).catch(() => undefined),
  });
  readonly #open = new Map<vscode.Terminal, SessionPseudoterminal>();
  readonly #didChange = this.#disposables.add(new vscode.EventEmitter<void>());
  /** Environments for which the user was told that their terminals cannot be resized. */
  readonly #explained = new Set<string>();
  /** Terminals that VS Code is about to open for a profile. */
  readonly #expected = new Set<SessionPseudoterminal>();

  constructor(options: SessionTerminalsOptions) {
    this.#options = options;
    this.#disposables.add(
      vscode.window.onDidChangeActiveTerminal((terminal) => {
        this.#takeNames();
        const viewer = this.#viewerOf(terminal);
        if (viewer !== undefined) {
          this.#viewers.focus(viewer);
          viewer.drawn();
        }
      }),
    );
    this.#disposables.add(vscode.window.onDidOpenTerminal((terminal) => this.#opened(terminal)));
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
        this.#takeNames();
        const viewer = this.#viewerOf(vscode.window.activeTerminal);
        if (focused && viewer !== undefined) {
          this.#viewers.focus(viewer);
        }
      }),
    );
  }

  /** The latest size of any of these terminals, which is the best guess for the next one. */
  get lastSize(): TerminalSize | undefined {
    return this.#options.sizes.value;
  }

  /** Fires when a terminal was opened or closed, shows another session, or has another name. */
  get onDidChange(): vscode.Event<void> {
    return this.#didChange.event;
  }

  /** The open terminals, oldest first. */
  get all(): readonly {
    readonly terminal: vscode.Terminal;
    readonly name: string;
    readonly session: Session;
  }[] {
    return [...this.#open].map(([terminal, { name, viewer }]) => ({
      terminal,
      name,
      session: viewer.session,
    }));
  }

  /** Opens a terminal again that was open before, without showing it. `column` is its editor column, if it had one. */
  reopen(session: Session, column: vscode.ViewColumn | undefined): vscode.Terminal {
    return this.#create(session, { preserveFocus: true, ...(column !== undefined && { column }) });
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

  /** The options with which VS Code itself opens a terminal for a new session. */
  describe(session: Session): vscode.ExtensionTerminalOptions {
    const { options, pseudoterminal } = this.#describe(session, { fresh: true });
    this.#expected.add(pseudoterminal);
    return options;
  }

  /** A view of a new session for a task. It closes with the exit code of the session. The caller disposes of it. */
  forTask(session: Session): SessionPseudoterminal {
    return this.#describe(session, { fresh: true, endsWithSession: true }).pseudoterminal;
  }

  /**
   * Treats the terminal of a task as one of ours, so that the row of its session leads to it. VS Code does not say
   * which terminal it is, but it has the name of the task. If several have that name, no terminal is taken.
   *
   * @returns an object to dispose of when the terminal no longer shows the session.
   */
  adopt(shown: SessionPseudoterminal, name: string): Disposable {
    const found = vscode.window.terminals.filter((one) => one.name === name && !this.#open.has(one));
    const [terminal] = found;
    if (terminal !== undefined && found.length === 1) {
      this.#add(terminal, shown);
    }
    return {
      // A moment later: the terminal closes before the end of its session is told, and its viewer needs no message.
      dispose: () =>
        queueMicrotask(() => {
          if (terminal !== undefined && this.#open.get(terminal) === shown) {
            this.#open.delete(terminal);
            this.#didChange.fire();
          }
        }),
    };
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
    for (const pseudoterminal of [...this.#open.values(), ...this.#expected]) {
      pseudoterminal.dispose();
    }
    this.#open.clear();
    this.#expected.clear();
  }

  #create(
    session: Session,
    { fresh = false, preserveFocus = false, beside, column }: OpenOptions,
  ): vscode.Terminal {
    const { options, pseudoterminal } = this.#describe(session, { fresh, focused: !preserveFocus });
    const terminal = vscode.window.createTerminal({
      ...options,
      ...(beside && { location: { parentTerminal: beside } }),
      ...(column !== undefined && { location: { viewColumn: column, preserveFocus } }),
    });
    this.#add(terminal, pseudoterminal);
    return terminal;
  }

  #opened(terminal: vscode.Terminal): void {
    const expected = [...this.#expected].find(
      (one) => 'pty' in terminal.creationOptions && terminal.creationOptions.pty === one,
    );
    if (expected !== undefined) {
      this.#expected.delete(expected);
      this.#add(terminal, expected);
      // VS Code shows its newest terminal when it is given the profile. That may be an older terminal.
      terminal.show();
    }
  }

  #add(terminal: vscode.Terminal, pseudoterminal: SessionPseudoterminal): void {
    this.#open.set(terminal, pseudoterminal);
    this.#didChange.fire();
  }

  /** Gives sessions the names that people have given their tabs; VS Code has no event for those. */
  #takeNames(): void {
    for (const [terminal, { ofTask, tabName, viewer }] of this.#open) {
      const name = ofTask ? undefined : tabName.look(terminal.name);
      if (name !== undefined) {
        viewer.session.rename(name === viewer.session.commandLine ? '' : name);
      }
    }
  }

  #describe(
    session: Session,
    {
      fresh,
      focused = true,
      endsWithSession = false,
    }: Pick<ViewerOptions, 'fresh' | 'endsWithSession'> & {
      readonly focused?: boolean;
    },
  ) {
    const { log } = this.#options;
    const nonce = shellNonce(session.request) ?? randomUUID();
    const name = terminalName(shorten(oneLine(session.label), NAME_LENGTH));
    const pseudoterminal = new SessionPseudoterminal({
      initialName: name,
      session,
      fresh,
      focused,
      endsWithSession,
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
      nameChanged: () => {
        this.#takeNames();
        this.#didChange.fire();
      },
      sizeChanged: (size) => this.#options.sizes.remember(size),
      marks: (shown) => sessionMarks(shown, nonce),
      unicode: unicodeVersion,
      sessionChanged: (next) => {
        log.info(`${logMark(next)} took over a terminal`);
        this.#didChange.fire();
      },
    });
    const options: vscode.ExtensionTerminalOptions & ShellIntegrationNonce = {
      name,
      pty: pseudoterminal,
      iconPath: new vscode.ThemeIcon('terminal'),
      isTransient: true,
      shellIntegrationNonce: nonce,
    };
    return { options, pseudoterminal };
  }

  #viewerOf(terminal: vscode.Terminal | undefined): SessionViewer | undefined {
    return terminal === undefined ? undefined : this.#open.get(terminal)?.viewer;
  }

  /** The session's terminal that had the focus last; before any is open, the one that is about to open. */
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
        this.#options.log.warn(`${logMark(session)} was not resized: ${oneLine(errorText(error))}`);
      });
    }
  }

  /** One row less for a moment, since a program does not react to the same size. */
  async #redraw(session: Session, { columns, rows }: TerminalSize): Promise<void> {
    if (rows === 1 || session.ended || session.lacks.includes('resize')) {
      return;
    }
    await session.process.resize({ columns, rows: rows - 1 }).catch(() => undefined);
    await delay(systemClock, REDRAW_MS);
    const [primary] = this.#viewers.of(session);
    if (primary !== undefined) {
      // If another terminal is primary by now, it has given its own size.
      this.#viewers.resized(primary);
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
    const { ofTask, viewer } = pseudoterminal;
    const { session } = viewer;
    this.#open.delete(terminal);
    pseudoterminal.dispose();
    // A terminal that VS Code closes with the window opens again with the next window.
    if (terminal.exitStatus?.reason !== vscode.TerminalExitReason.Shutdown) {
      this.#didChange.fire();
    }
    if (!ofTask && closedByPerson(terminal) && !session.ended && this.#terminalOf(session) === undefined) {
      this.#options.closed(session);
    }
  }
}

/** The table of cell widths of VS Code's terminals. */
function unicodeVersion(): '6' | '11' {
  const settings = vscode.workspace.getConfiguration('terminal.integrated');
  return settings.get<string>('unicodeVersion') === '6' ? '6' : '11';
}
