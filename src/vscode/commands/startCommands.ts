import path from 'node:path';

import * as vscode from 'vscode';

import {
  type ExecEnvironment,
  isOpen,
  LOCAL_ID,
  remember,
  runModes,
  restoreHistory,
  type Session,
} from '../../sessions/list/index.js';
import { type CheckedStart, parseCommandInput, parseStartOptions } from '../../sessions/options/index.js';
import { type LaunchOrigin, shellThere } from '../../core/index.js';
import { oneLine } from '../../sessions/words/index.js';
import { openSettingAction } from '../openSetting.js';
import { SettingError, UserError } from '../userError.js';
import { shellStart } from '../shellStart.js';
import { foldersOnDisk, userShell } from '../thisMachine.js';
import { CommandId, type CommandHandlers } from './commandIds.js';
import type { CommandPlace } from './commandLinePrompt.js';
import { commandSuggestions } from './commandSuggestions.js';
import type { CommandContext } from './context.js';
import type { WantedEnvironment } from './environmentTargets.js';

const HISTORY_KEY = 'execSessions.commandHistory';
const USER: LaunchOrigin = { kind: 'user' };

type StartCommands = Pick<
  CommandHandlers,
  | typeof CommandId.newSession
  | typeof CommandId.newSessionHere
  | typeof CommandId.newShellSession
  | typeof CommandId.newSessionInEnvironment
>;

/** Commands that start sessions. */
export function startCommands(context: CommandContext): StartCommands {
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
      return startForUser(context, { ...shellStart(context.settings), ...folder });
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
  none: vscode.l10n.t('No environment is left in which something could be started.'),
});

const inTerminal = { env: {}, tty: true, pipeStdin: false, show: true } as const;

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
  const session = await context.starter.start(parsed.value, startedBy ?? { kind: 'extension' });
  return show ? shown(context, session, true) : session.id;
}

/** @param there The environment to run in, if it is not this machine. */
async function askAndStart(
  context: CommandContext,
  there?: ExecEnvironment,
  given: CommandPlace & { readonly initial?: string } = {},
): Promise<string | undefined> {
  context.starter.checkTrust();
  // Each machine has its own history: commands of one may not exist on another.
  const key = there === undefined ? HISTORY_KEY : `${HISTORY_KEY}.${there.id}`;
  const history = restoreHistory(context.memento.get<unknown>(key));
  const { shell } = there === undefined ? userShell(context.settings) : shellThere(there.backend.host);
  const place = there === undefined ? undefined : oneLine(there.label);
  // Of a machine that is not connected yet nothing else is known.
  const terminals = (there ?? context.environments.open(LOCAL_ID))?.backend.capabilities.terminals ?? true;
  const modes = runModes(terminals);
  const entry = await context.askCommandLine({
    ...given,
    history,
    shell,
    place,
    modes,
    suggest: () => (there === undefined ? commandSuggestions() : Promise.resolve([])),
    forget: ({ text }) =>
      void context.memento.update(
        key,
        restoreHistory(context.memento.get<unknown>(key)).filter((one) => one.text !== text),
      ),
  });
  if (entry === undefined) {
    return undefined;
  }
  const editCommand = {
    title: vscode.l10n.t('Edit Command…'),
    run: () =>
      askAndStart(context, there, { initial: entry.text, cwd: entry.cwd, env: entry.env }).catch(
        (error: unknown) => context.messages.failed(error),
      ),
  };
  const parsed = parseCommandInput(entry.text, vscode.l10n);
  if (!parsed.ok) {
    context.messages.failed(new UserError(parsed.message), [editCommand]);
    return undefined;
  }
  const inFolder = there === undefined && entry.cwd === undefined;
  const folder = inFolder ? await chooseFolder(context) : { cwd: entry.cwd };
  if (folder === undefined) {
    return undefined;
  }
  const latest = restoreHistory(context.memento.get<unknown>(key));
  await context.memento.update(key, remember(latest, { text: entry.text, mode: entry.mode }));
  try {
    return await startForUser(context, {
      command: parsed.value,
      ...(there && { environment: there.id }),
      ...folder,
      ...inTerminal,
      env: entry.env ?? {},
      tty: entry.mode === 'terminal',
      pipeStdin: entry.mode === 'pipesWithInput',
    });
  } catch (error) {
    // Another command line does not help where a setting is wrong.
    context.messages.failed(error, [
      error instanceof SettingError ? openSettingAction(error.setting) : editCommand,
    ]);
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
async function chooseFolder({
  dialogs,
}: CommandContext): Promise<{ readonly cwd?: string | undefined } | undefined> {
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

/** The folder itself, or that of a file; undefined for what is on no disk of this machine. */
async function directoryOf(target: unknown): Promise<string | undefined> {
  if (!(target instanceof vscode.Uri) || target.scheme !== 'file') {
    return undefined;
  }
  const { type } = await vscode.workspace.fs.stat(target);
  return (type & vscode.FileType.Directory) === 0 ? path.dirname(target.fsPath) : target.fsPath;
}
