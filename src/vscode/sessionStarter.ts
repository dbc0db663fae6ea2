import * as vscode from 'vscode';

import { isExecError, type TerminalSize } from '../core/index.js';
import { LOCAL_ID, type Session, type SessionList, type SessionOrigin } from '../sessions/list/index.js';
import type { Environments } from '../sessions/environments/index.js';
import { type CheckedStart, settingId } from '../sessions/options/index.js';
import { oneLine } from '../sessions/words/index.js';
import { localRequest, remoteRequest } from './sessionRequests.js';
import type { SettingsReader } from './settingsReader.js';
import { errorText, UntrustedWorkspaceError, UserError } from './userError.js';

/**
 * The only way to start a session, for all callers: it checks the workspace's trust, and connects to the environment if
 * need be.
 */
export class SessionStarter {
  readonly #list: SessionList;
  readonly #environments: Environments;
  readonly #settings: SettingsReader;
  readonly #isTrusted: () => boolean;
  readonly #terminalSize: () => TerminalSize | undefined;

  constructor(options: {
    list: SessionList;
    environments: Environments;
    settings: SettingsReader;
    isTrusted: () => boolean;
    /** The size that a new terminal will probably have. */
    terminalSize: () => TerminalSize | undefined;
  }) {
    this.#list = options.list;
    this.#environments = options.environments;
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
   * @param signal Ends the wait for a connection.
   * @throws UntrustedWorkspaceError
   * @throws EnvironmentError if there is no such environment, or if connecting was cancelled; a failed connection
   *   rejects with its own error.
   * @throws UserError if the directory on the other machine is not known.
   * @throws ExecError if the program cannot be started.
   */
  async start(start: CheckedStart, origin: SessionOrigin, signal?: AbortSignal): Promise<Session> {
    this.checkTrust();
    const environment = await this.#environments.connect(start.environment ?? LOCAL_ID, signal);
    const wanted = { start, origin, size: this.#terminalSize() };
    if (environment.id !== LOCAL_ID) {
      const definition = this.#environments.definitionOf(environment.id);
      return this.#list.start(environment, remoteRequest(wanted, environment, definition));
    }
    const request = localRequest(wanted, this.#settings);
    return this.#namingShell(() => this.#list.start(environment, request));
  }

  /**
   * Starts the program of a session again, in the same environment.
   *
   * @throws UntrustedWorkspaceError
   * @throws EnvironmentError if the environment no longer exists; a failed connection rejects with its own error.
   * @throws ExecError if the program cannot be started.
   */
  async runAgain(session: Session): Promise<Session> {
    this.checkTrust();
    const environment = await this.#environments.connect(session.environment.id);
    const start = () => this.#list.runAgain(session, environment);
    return environment.id === LOCAL_ID ? this.#namingShell(start) : start();
  }

  /**
   * Adds to the error of a shell that cannot be started that the settings name it: a user who typed `echo hi` did not
   * ask for that shell.
   */
  async #namingShell(start: () => Promise<Session>): Promise<Session> {
    try {
      return await start();
    } catch (error) {
      const failure = isExecError(error) ? error.failure : undefined;
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

/** A starter that logs failures, for callers that do not pass them to {@link Messages}, which would log them. */
export function loggingFailures(
  starter: SessionStarter,
  log: vscode.LogOutputChannel,
): Pick<SessionStarter, 'start' | 'runAgain'> {
  const logged = async (start: Promise<Session>): Promise<Session> => {
    try {
      return await start;
    } catch (error) {
      log.error(oneLine(errorText(error)));
      throw error;
    }
  };
  return {
    start: (start, origin, signal) => logged(starter.start(start, origin, signal)),
    runAgain: (session) => logged(starter.runAgain(session)),
  };
}
