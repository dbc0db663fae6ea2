import * as vscode from 'vscode';

import { ExecError, type TerminalSize } from '../core/index.js';
import { commandOf } from '../sessions/commandInput.js';
import type {
  ExecEnvironment,
  Session,
  SessionList,
  SessionOrigin,
  SessionRequest,
} from '../sessions/index.js';
import { sessionEnvironment } from '../sessions/sessionEnvironment.js';
import { settingId } from '../sessions/settings.js';
import type { CheckedStart } from '../sessions/startOptions.js';
import type { SettingsReader } from './settingsReader.js';
import { errorText, UntrustedWorkspaceError, UserError } from './userError.js';
import { userShell } from './userShell.js';
import { workingDirectory } from './workspaceFolders.js';

/** The one way to start a session, whoever asks: it checks the workspace's trust. */
export class SessionStarter {
  readonly #list: SessionList;
  readonly #environment: ExecEnvironment;
  readonly #settings: SettingsReader;
  readonly #isTrusted: () => boolean;
  readonly #terminalSize: () => TerminalSize | undefined;

  constructor(options: {
    list: SessionList;
    environment: ExecEnvironment;
    settings: SettingsReader;
    isTrusted: () => boolean;
    /** The size that a new terminal will probably have. */
    terminalSize: () => TerminalSize | undefined;
  }) {
    this.#list = options.list;
    this.#environment = options.environment;
    this.#settings = options.settings;
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
    return this.#namingShell(() => this.#list.start(this.#environment, request));
  }

  /**
   * Starts what a session ran once more.
   *
   * @throws UntrustedWorkspaceError
   * @throws ExecError if it cannot be started.
   */
  async runAgain(session: Session): Promise<Session> {
    this.checkTrust();
    return this.#namingShell(() => this.#list.runAgain(session));
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

  /** Who typed `echo hi` has not asked for the shell that cannot be started: the settings have. */
  async #namingShell(start: () => Promise<Session>): Promise<Session> {
    try {
      return await start();
    } catch (error) {
      const failure = error instanceof ExecError ? error.failure : undefined;
      const bad = failure?.kind === 'programNotFound' || failure?.kind === 'programNotExecutable';
      if (!bad || failure.program !== this.#settings.get('shellPath').trim()) {
        throw error;
      }
      const text = vscode.l10n.t(
        '{0} The setting "{1}" names it as the shell.',
        errorText(error),
        settingId('shellPath'),
      );
      throw new UserError(text, { cause: error });
    }
  }
}

/** For those who do not hand a failure to {@link Messages}, which would log it: it is logged here. */
export function loggingFailures(
  starter: SessionStarter,
  log: vscode.LogOutputChannel,
): Pick<SessionStarter, 'start' | 'runAgain'> {
  const logged = async (start: Promise<Session>): Promise<Session> => {
    try {
      return await start;
    } catch (error) {
      log.error(errorText(error));
      throw error;
    }
  };
  return {
    start: (start, origin) => logged(starter.start(start, origin)),
    runAgain: (session) => logged(starter.runAgain(session)),
  };
}
