import * as vscode from 'vscode';

import { remember, restoreHistory } from '../../sessions/commandHistory.js';
import { parseCommandInput, type CommandInput } from '../../sessions/commandInput.js';
import type { Session, SessionOrigin } from '../../sessions/index.js';
import { interactiveShell } from '../../sessions/shellCommand.js';
import { parseStartOptions, type CheckedStart } from '../../sessions/startOptions.js';
import { UserError } from '../userError.js';
import { userShell } from '../userShell.js';
import { foldersOnDisk } from '../workspaceFolders.js';
import { CommandId, type CommandHandlers } from './commandIds.js';
import type { CommandContext } from './context.js';
import { wanted } from './wanted.js';

const HISTORY_KEY = 'execSessions.commandHistory';
const USER: SessionOrigin = { kind: 'user' };

type StartCommands = Pick<
  CommandHandlers,
  typeof CommandId.newSession | typeof CommandId.newShellSession | typeof CommandId.runAgain
>;

/** Commands that start something. */
export function startCommands(context: CommandContext): StartCommands {
  return {
    [CommandId.newSession]: async (options) =>
      saysNothing(options) ? askAndStart(context) : startAsTold(context, options),
    [CommandId.newShellSession]: async () => {
      context.starter.checkTrust();
      const folder = await chooseFolder(context);
      if (folder === undefined) {
        return undefined;
      }
      const shell = userShell(context.settings);
      const command: CommandInput = { kind: 'argv', argv: interactiveShell(shell) };
      return startForUser(context, { command, ...folder, ...inTerminal });
    },
    [CommandId.runAgain]: async (target) => {
      const session = await context.targets.one(target, wanted.runAgain());
      if (session === undefined) {
        return undefined;
      }
      const next = await context.starter.runAgain(session);
      return shown(context, next, false);
    },
  };
}

const inTerminal = { env: {}, tty: true, pipeStdin: false, show: true } as const;

/** A menu of the view hands over the focused row, which says nothing about what to start. */
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
  const session = await context.starter.start(parsed.value, startedBy ?? { kind: 'extension' });
  return show ? shown(context, session, true) : session.id;
}

async function askAndStart(context: CommandContext, initial?: string): Promise<string | undefined> {
  context.starter.checkTrust();
  const history = restoreHistory(context.memento.get<unknown>(HISTORY_KEY));
  const { shell } = userShell(context.settings);
  const entry = await context.askCommandLine({ history, initial, shell });
  if (entry === undefined) {
    return undefined;
  }
  const editCommand = {
    title: vscode.l10n.t('Edit Command…'),
    run: () => askAndStart(context, entry.text).catch((error: unknown) => context.messages.failed(error)),
  };
  const parsed = parseCommandInput(entry.text, vscode.l10n);
  if (!parsed.ok) {
    context.messages.failed(new UserError(parsed.message), [editCommand]);
    return undefined;
  }
  const folder = await chooseFolder(context);
  if (folder === undefined) {
    return undefined;
  }
  await context.memento.update(HISTORY_KEY, remember(history, entry));
  try {
    return await startForUser(context, {
      command: parsed.value,
      ...folder,
      ...inTerminal,
      tty: entry.mode === 'terminal',
      pipeStdin: entry.mode === 'pipesWithInput',
    });
  } catch (error) {
    context.messages.failed(error, [editCommand]);
    return undefined;
  }
}

async function startForUser(context: CommandContext, start: CheckedStart): Promise<string> {
  return shown(context, await context.starter.start(start, USER), false);
}

function shown(context: CommandContext, session: Session, preserveFocus: boolean): string {
  context.terminals.open(session, { fresh: true, preserveFocus });
  return session.id;
}

/** @returns undefined if the user was asked and gave up. */
async function chooseFolder({ dialogs }: CommandContext): Promise<{ readonly cwd?: string } | undefined> {
  const folders = foldersOnDisk();
  if (folders.length < 2) {
    return {};
  }
  const items = folders.map(({ name, uri }) => ({ label: name, description: uri.fsPath, cwd: uri.fsPath }));
  const picked = await dialogs.pick(items, {
    title: vscode.l10n.t('New Session'),
    placeHolder: vscode.l10n.t('The folder to run it in'),
  });
  return picked && { cwd: picked.cwd };
}
