import * as vscode from 'vscode';

import type { TerminalSize } from '../core/index.js';
import { commandOf } from '../sessions/commandInput.js';
import type {
  ExecEnvironment,
  Session,
  SessionList,
  SessionOrigin,
  SessionRequest,
} from '../sessions/index.js';
import { sessionEnvironment } from '../sessions/sessionEnvironment.js';
import type { CheckedStart } from '../sessions/startOptions.js';
import type { SettingsReader } from './settingsReader.js';
import { errorText, UntrustedWorkspaceError } from './userError.js';
import { userShell } from './userShell.js';
import { workingDirectory } from './workspaceFolders.js';

/** The one way to start a session, whoever asks: it checks the workspace's trust, and writes the log. */
export class SessionStarter {
  readonly #list: SessionList;
  readonly #environment: ExecEnvironment;
  readonly #settings: SettingsReader;
  readonly #log: vscode.LogOutputChannel;
  readonly #isTrusted: () => boolean;
  readonly #terminalSize: () => TerminalSize | undefined;

  constructor(options: {
    list: SessionList;
    environment: ExecEnvironment;
    settings: SettingsReader;
    log: vscode.LogOutputChannel;
    isTrusted: () => boolean;
    /** The size that a new terminal will probably have. */
    terminalSize: () => TerminalSize | undefined;
  }) {
    this.#list = options.list;
    this.#environment = options.environment;
    this.#settings = options.settings;
    this.#log = options.log;
    this.#isTrusted = options.isTrusted;
    this.#terminalSize = options.terminalSize;
  }

  /** @throws UntrustedWorkspaceError */
  checkTrust(): void {
    if (!this.#isTrusted()) {
      throw new UntrustedWorkspaceError();
    }
  }

  /**
   * @throws UntrustedWorkspaceError
   * @throws ExecError if it cannot be started.
   */
  async start(start: CheckedStart, origin: SessionOrigin): Promise<Session> {
    this.checkTrust();
    const request = this.#request(start, origin);
    return this.#logged(request.commandLine ?? request.argv.join(' '), () =>
      this.#list.start(this.#environment, request),
    );
  }

  /**
   * Starts what a session ran once more.
   *
   * @throws UntrustedWorkspaceError
   * @throws ExecError if it cannot be started.
   */
  async runAgain(session: Session): Promise<Session> {
    this.checkTrust();
    return this.#logged(session.commandLine, () => this.#list.runAgain(session));
  }

  #request(start: CheckedStart, origin: SessionOrigin): SessionRequest {
    const cwd = workingDirectory(start.cwd);
    const environment = sessionEnvironment({
      host: process.env,
      tty: start.tty,
      windows: process.platform === 'win32',
      version: vscode.version,
      changes: [this.#settings.get('environment', vscode.Uri.file(cwd)), start.env],
    });
    return {
      ...commandOf(start.command, userShell(this.#settings)),
      ...environment,
      cwd,
      tty: start.tty,
      pipeStdin: start.pipeStdin,
      size: start.tty ? this.#terminalSize() : undefined,
      title: start.title,
      origin,
    };
  }

  async #logged(commandLine: string, start: () => Promise<Session>): Promise<Session> {
    try {
      return await start();
    } catch (error) {
      this.#log.error(`Could not start ${JSON.stringify(commandLine)}: ${errorText(error)}`);
      throw error;
    }
  }
}
