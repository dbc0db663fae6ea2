import * as vscode from 'vscode';

import {
  directoryThere,
  environmentThere,
  sessionEnvironment,
  shellThere,
  sizeThere,
  type TerminalSize,
} from '../core/index.js';
import { type CheckedStart, commandOf } from '../sessions/options/index.js';
import type {
  EnvironmentDefinition,
  ExecEnvironment,
  SessionOrigin,
  SessionRequest,
} from '../sessions/list/index.js';
import { nameInMessage } from '../sessions/words/index.js';
import type { SettingsReader } from './settingsReader.js';
import { UserError } from './userError.js';
import { userShell } from './userShell.js';
import { workingDirectory } from './workspaceFolders.js';

/** The start, the one who asked for it, and the size that its terminal will probably have. */
interface Wanted {
  readonly start: CheckedStart;
  readonly origin: SessionOrigin;
  readonly size: TerminalSize | undefined;
}

/**
 * The request for a session on this machine: with the machine's variables, in the workspace, with the shell of the
 * settings.
 */
export function localRequest(wanted: Wanted, settings: SettingsReader): SessionRequest {
  const { start, origin, size } = wanted;
  const cwd = workingDirectory(start.cwd);
  return {
    ...commandOf(start.command, userShell(settings)),
    ...sessionEnvironment({
      host: process.env,
      tty: start.tty,
      windows: process.platform === 'win32',
      version: vscode.version,
      changes: [settings.get('environment', vscode.Uri.file(cwd)), start.env],
    }),
    ...common(start, origin),
    cwd,
    size: start.tty ? size : undefined,
  };
}

/**
 * The request for a session on another machine. It uses only what that machine reports about itself, and nothing of
 * this one.
 *
 * @throws UserError if the directory would be in a home directory that is not known.
 */
export function remoteRequest(
  wanted: Wanted,
  environment: ExecEnvironment,
  definition: EnvironmentDefinition | undefined,
): SessionRequest {
  const { start, origin, size } = wanted;
  const { host, capabilities } = environment.backend;
  const cwd = directoryThere([start.cwd, definition?.cwd], host);
  if (cwd === undefined) {
    throw new UserError(
      vscode.l10n.t(
        'The home directory on "{0}" is not known. Name the directory by its whole path.',
        nameInMessage(environment.label),
      ),
    );
  }
  return {
    ...commandOf(start.command, shellThere(host)),
    ...environmentThere({ host, tty: start.tty, version: vscode.version, changes: start.env }),
    ...common(start, origin),
    cwd,
    size: start.tty ? sizeThere(capabilities, size) : undefined,
  };
}

function common(start: CheckedStart, origin: SessionOrigin) {
  return { tty: start.tty, pipeStdin: start.pipeStdin, title: start.title, origin };
}
