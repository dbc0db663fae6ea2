import path from 'node:path';

import * as vscode from 'vscode';

import { isOpen } from '../../../sessions/list/index.js';
import { parseStartOptions } from '../../../sessions/options/index.js';
import { UserError } from '../../userError.js';
import { shellStart } from '../../shellStart.js';
import { askAndStart, chooseFolder, shown, startForUser } from './askAndStart.js';
import { CommandId, type CommandHandlers } from '../commandIds.js';
import type { CommandContext } from '../context.js';
import type { WantedEnvironment } from '../places/environmentTargets.js';

type StartCommands = Pick<
  CommandHandlers,
  | typeof CommandId.newSession
  | typeof CommandId.newSessionHere
  | typeof CommandId.newShellSession
  | typeof CommandId.newSessionInEnvironment
>;

/** Commands that start sessions. */
export function startCommands(
  context: Pick<
    CommandContext,
    | 'askCommandLine'
    | 'connector'
    | 'dialogs'
    | 'environmentTargets'
    | 'environments'
    | 'memento'
    | 'messages'
    | 'settings'
    | 'starter'
    | 'storage'
    | 'terminals'
  >,
): StartCommands {
  return {
    [CommandId.newSession]: async (options) =>
      saysNothing(options) ? askAndStart(context) : startAsTold(context, options),
    [CommandId.newSessionHere]: async (target) => {
      const cwd = await directoryOf(target ?? vscode.window.activeTextEditor?.document.uri);
      if (cwd === undefined) {
        throw new UserError(
          vscode.l10n.t('Choose a file or a folder of this machine to start something there.'),
        );
      }
      return askAndStart(context, undefined, { cwd });
    },
    [CommandId.newShellSession]: async () => {
      context.starter.checkTrust();
      const folder = await chooseFolder(context);
      if (folder === undefined) {
        return undefined;
      }
      return startForUser(context, { ...shellStart(context), ...folder });
    },
    [CommandId.newSessionInEnvironment]: async (target) => {
      context.starter.checkTrust();
      const chosen = await context.environmentTargets.one(target, wantedToStart());
      if (chosen === undefined || chosen.kind === 'local') {
        return chosen && askAndStart(context);
      }
      const environment = await context.connector.connectVisibly(chosen.id);
      return environment && askAndStart(context, environment);
    },
  };
}

const wantedToStart = (): WantedEnvironment => ({
  suits: ({ state, removed }) => !removed || isOpen(state),
  question: vscode.l10n.t('New Session in Environment'),
  none: vscode.l10n.t('No environment is left that can start something.'),
});

/** Whether the user is to be asked. A menu of the view passes the focused row, which does not say what to start. */
function saysNothing(options: unknown): boolean {
  return options === undefined || options === null || (typeof options === 'object' && 'kind' in options);
}

/** @throws UserError if the options are wrong. */
async function startAsTold(
  context: Pick<CommandContext, 'starter' | 'terminals'>,
  options: unknown,
): Promise<string> {
  const parsed = parseStartOptions(options, vscode.l10n);
  if (!parsed.ok) {
    throw new UserError(parsed.message);
  }
  const { startedBy, show } = parsed.value;
  const session = await context.starter.start(parsed.value, startedBy ?? { kind: 'extension' });
  return show ? shown(context, session, true) : session.id;
}

/** The folder itself, or the folder of a file; undefined if it is not on a disk of this machine. */
async function directoryOf(target: unknown): Promise<string | undefined> {
  if (!(target instanceof vscode.Uri) || target.scheme !== 'file') {
    return undefined;
  }
  const { type } = await vscode.workspace.fs.stat(target);
  return (type & vscode.FileType.Directory) === 0 ? path.dirname(target.fsPath) : target.fsPath;
}
