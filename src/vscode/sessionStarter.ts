import * as vscode from 'vscode';

import {
  commandLineOf,
  directoryThere,
  ExecError,
  type ExecFailure,
  isExecError,
  type LaunchOrigin,
  launchRequest,
  type LaunchRequest,
  oneLine,
  type TerminalSize,
  withFolder,
} from '../core/index.js';
import { type ExecEnvironment, LOCAL_ID, type Session, type SessionList } from '../sessions/list/index.js';
import type { Environments } from '../sessions/environments/index.js';
import { type CheckedStart, settingId } from '../sessions/options/index.js';
import { nameInMessage } from '../sessions/words/index.js';
import type { FolderEnvironmentOf } from './folderEnvironmentOf.js';
import type { SettingsReader } from './settingsReader.js';
import { userShell, workingDirectory } from './thisMachine.js';
import { errorText, SettingError, UntrustedWorkspaceError, UserError } from './userError.js';

/** @throws UntrustedWorkspaceError */
export function checkTrust(isTrusted: () => boolean): void {
  if (!isTrusted()) {
    throw new UntrustedWorkspaceError();
  }
}

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
  readonly #programs: string;
  readonly #inFolder: FolderEnvironmentOf;

  constructor(options: {
    list: SessionList;
    environments: Environments;
    settings: SettingsReader;
    isTrusted: () => boolean;
    /** The size that a new terminal will probably have. */
    terminalSize: () => TerminalSize | undefined;
    /** The folder with the command line, for sessions on this machine. */
    programs: string;
    inFolder: FolderEnvironmentOf;
  }) {
    this.#list = options.list;
    this.#environments = options.environments;
    this.#settings = options.settings;
    this.#isTrusted = options.isTrusted;
    this.#terminalSize = options.terminalSize;
    this.#programs = options.programs;
    this.#inFolder = options.inFolder;
  }

  /** @throws UntrustedWorkspaceError */
  checkTrust(): void {
    checkTrust(this.#isTrusted);
  }

  /**
   * @param signal Ends the wait for a connection.
   * @throws UntrustedWorkspaceError
   * @throws EnvironmentError if there is no such environment, or if connecting was cancelled; a failed connection
   *   rejects with its own error.
   * @throws UserError if the directory on the other machine is not known.
   * @throws ExecError if the program cannot be started.
   * @throws the rejection of `start.before`.
   */
  async start(start: CheckedStart, origin: LaunchOrigin, signal?: AbortSignal): Promise<Session> {
    this.checkTrust();
    const environment = await this.#environments.connect(start.environment ?? LOCAL_ID, signal);
    const request = await this.#request(start, origin, environment);
    await start.before?.(request, environment.backend);
    return this.#explaining(environment, request.title ?? commandLineOf(request), () =>
      this.#list.start(environment, request),
    );
  }

  /**
   * Starts the program of a session again, in the same environment. If it had the environment of its folder, it gets
   * that anew.
   *
   * @throws UntrustedWorkspaceError
   * @throws EnvironmentError if the environment no longer exists; a failed connection rejects with its own error.
   * @throws ExecError if the program cannot be started.
   */
  async runAgain(session: Session): Promise<Session> {
    this.checkTrust();
    const environment = await this.#environments.connect(session.environment.id);
    const before = environment.id === LOCAL_ID ? session.record.folderEnvironment : undefined;
    const now = before && (await this.#inFolder(session.cwd, userShell(this.#settings).shell));
    return this.#explaining(environment, session.label, () =>
      this.#list.runAgain(session, environment, (request) =>
        before ? withFolder(request, before.names, now?.folder) : request,
      ),
    );
  }

  /**
   * The request for a start. On this machine it uses the user's variables, the workspace and the shell of the settings.
   * On another machine it uses only the facts that the machine reports about itself.
   *
   * @throws UserError if the directory would be in a home directory that is not known.
   */
  async #request(
    start: CheckedStart,
    origin: LaunchOrigin,
    environment: ExecEnvironment,
  ): Promise<LaunchRequest> {
    const { host, capabilities } = environment.backend;
    const local = environment.id === LOCAL_ID;
    const cwd = local
      ? workingDirectory(start.cwd)
      : directoryThere([start.cwd, this.#environments.definitionOf(environment.id)?.cwd], host);
    if (cwd === undefined) {
      throw new UserError(
        vscode.l10n.t(
          'The home directory on "{0}" is not known. Name the directory by its whole path.',
          nameInMessage(environment.label),
        ),
      );
    }
    const shell = userShell(this.#settings);
    const inFolder = local && start.inFolderEnvironment ? await this.#inFolder(cwd, shell.shell) : undefined;
    return launchRequest(
      { ...start, cwd, origin },
      {
        host,
        vscodeVersion: vscode.version,
        size: capabilities.initialSize ? this.#terminalSize() : undefined,
        ...(local && {
          shell: { ...shell, ...(inFolder && { shell: inFolder.shell }) },
          folder: inFolder?.folder,
          hostEnv: process.env,
          programs: this.#programs,
          settingsEnv: this.#settings.get('env', vscode.Uri.file(cwd)),
        }),
      },
    );
  }

  /**
   * Says in an error what was to start, and which setting names its shell or directory. A user who typed `echo hi` asked
   * for neither.
   *
   * @param name The name of the session that was to start.
   * @throws SettingError
   */
  async #explaining(
    { id, label, backend }: ExecEnvironment,
    name: string,
    start: () => Promise<Session>,
  ): Promise<Session> {
    try {
      return await start();
    } catch (cause) {
      const error = withName(cause, name);
      const failure = isExecError(error) ? error.failure : undefined;
      const badProgram = failure?.kind === 'programNotFound' || failure?.kind === 'programNotExecutable';
      if (id === LOCAL_ID && badProgram && failure.program === this.#settings.get('shellPath').trim()) {
        const text = vscode.l10n.t(
          '{0} The setting "{1}" names it as the shell.',
          errorText(error),
          settingId('shellPath'),
        );
        throw new SettingError(text, 'shellPath', error);
      }
      const badDirectory = failure?.kind === 'cwdNotFound' || failure?.kind === 'cwdNotDirectory';
      const named = this.#environments.definitionOf(id)?.cwd;
      if (badDirectory && named !== undefined && failure.cwd === directoryThere([named], backend.host)) {
        const text = vscode.l10n.t(
          '{0} The setting "{1}" names it for "{2}".',
          errorText(error),
          settingId('environments'),
          nameInMessage(label),
        );
        throw new SettingError(text, 'environments', error);
      }
      throw error;
    }
  }
}

/** Failures that are not about the program, which is the shell for a command line. */
const NOT_OF_PROGRAM: ReadonlySet<ExecFailure['kind']> = new Set([
  'cwdNotFound',
  'cwdNotDirectory',
  'argumentsTooLong',
  'startFailed',
]);

/** The error of a start, with the name of its session in place of a program that people did not type. */
function withName(error: unknown, name: string): unknown {
  return isExecError(error) && 'program' in error.failure && NOT_OF_PROGRAM.has(error.failure.kind)
    ? new ExecError({ ...error.failure, program: nameInMessage(name) })
    : error;
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
