import path from 'node:path';

import * as vscode from 'vscode';

import { isOpen, LOCAL_ID } from '../../../sessions/list/index.js';
import { parseStartOptions } from '../../../sessions/options/index.js';
import { UserError } from '../../userError.js';
import { shellStart, shellStartThere } from '../../shellStart.js';
import { askAndStart, chooseFolder, shown, startForUser } from './askAndStart.js';
import { type CommandHandlers, CommandId } from '../commandIds.js';
import type { CommandContext } from '../context.js';
import type { WantedEnvironment } from '../places/environmentTargets.js';
import { wanted } from '../wanted.js';

/** Commands that start sessions. */
export function startCommands(context: CommandContext) {
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
    // A shell beside the terminal, in the same environment and directory, as a session of its own.
    [CommandId.splitTerminal]: async (target) => {
      const { targets, starter, connector, terminals } = context;
      const from = target ?? vscode.window.activeTerminal;
      const session = await targets.one(
        terminals.sessionOf(from as vscode.Terminal | undefined)?.id ?? target,
        wanted.open(vscode.l10n.t('Split Into New Session')),
      );
      if (session === undefined) {
        return undefined;
      }
      starter.checkTrust();
      const { cwd } = session.request;
      const there =
        session.environment.id === LOCAL_ID
          ? shellStart(context)
          : await connector.connectVisibly(session.environment.id).then((one) => one && shellStartThere(one));
      if (there === undefined) {
        return undefined;
      }
      const next = await starter.start({ ...there, cwd }, { kind: 'user' });
      terminals.open(next, { fresh: true, beside: terminals.open(session) });
      return next.id;
    },
  } satisfies Partial<CommandHandlers>;
}

const wantedToStart = (): WantedEnvironment => ({
  suits: ({ state, removed }) => !removed || isOpen(state),
  question: vscode.l10n.t('New Session in Environment'),
  none: vscode.l10n.t('No environment can start a session now.'),
});

/** Whether the user is to be asked. A menu of the view passes the focused row, which does not say what to start. */
function saysNothing(options: unknown): boolean {
  return options === undefined || options === null || (typeof options === 'object' && 'kind' in options);
}

/** @throws UserError if the options are wrong. */
async function startAsTold(context: CommandContext, options: unknown): Promise<string> {
  const parsed = parseStartOptions(options, vscode.l10n);
  if (!parsed.ok) {
    throw new UserError(parsed.message);
  }
  const { startedBy, show } = parsed.value;
  const session = await context.starter.start(
    { ...parsed.value, inFolderEnvironment: true },
    startedBy ?? { kind: 'extension' },
  );
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
