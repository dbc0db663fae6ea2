import * as vscode from 'vscode';

import { type LaunchOrigin, oneLine, shellThere } from '../../../core/index.js';
import {
  type ExecEnvironment,
  LOCAL_ID,
  remember,
  restoreHistory,
  type RunMode,
  runModes,
  type Session,
} from '../../../sessions/list/index.js';
import { engineIdOf } from '../../../sessions/environments/index.js';
import { type CheckedStart, parseCommandInput } from '../../../sessions/options/index.js';
import { openSettingAction } from '../../messages.js';
import { foldersOnDisk, userShell } from '../../thisMachine.js';
import { SettingError, UserError } from '../../userError.js';
import type { CommandPlace } from './commandLinePrompt.js';
import { commandSuggestions } from './commandSuggestions.js';
import type { CommandContext } from '../context.js';
import { askFirst } from './restartCommands.js';

const HISTORY_KEY = 'execSessions.commandHistory';
const USER: LaunchOrigin = { kind: 'user' };

const inTerminal = { env: {}, tty: true, pipeStdin: false, show: true } as const;

/** Where the question for a command begins. */
export interface AskFrom extends CommandPlace {
  /** A command line to look at and edit. */
  readonly initial?: string | undefined;
  /** The way to run it that was chosen before. */
  readonly mode?: RunMode | undefined;
  /** For a command that several environments get: their name together, and what starts it there. */
  readonly several?: {
    readonly label: string;
    readonly start: (start: CheckedStart, title: string) => void;
  };
}

/**
 * Asks a person for a command, starts it and shows its terminal.
 *
 * @param there The environment to run in, if it is not this machine.
 * @returns The id of the session; undefined if the person gave up, or was told that it could not be started.
 */
export async function askAndStart(
  context: CommandContext,
  there?: ExecEnvironment,
  given: AskFrom = {},
): Promise<string | undefined> {
  context.starter.checkTrust();
  const { several } = given;
  // Each machine has its own history: commands of one may not exist on another. Members of an engine are alike.
  const machine = several === undefined ? there && (engineIdOf(there.id) ?? there.id) : 'several machines';
  const key = machine === undefined ? HISTORY_KEY : `${HISTORY_KEY}.${machine}`;
  const history = restoreHistory(context.memento.get<unknown>(key));
  const { shell } =
    several !== undefined
      ? { shell: vscode.l10n.t('the shell') }
      : there === undefined
        ? userShell(context.settings)
        : shellThere(there.backend.host);
  const place = several?.label ?? (there === undefined ? undefined : oneLine(there.label));
  // Nothing else is known about a machine that is not connected yet.
  const terminals = (there ?? context.environments.open(LOCAL_ID))?.backend.capabilities.terminals ?? true;
  const modes = runModes(terminals);
  const entry = await context.askCommandLine({
    ...given,
    history,
    shell,
    place,
    modes,
    suggest: () => commandSuggestions(there?.id ?? LOCAL_ID),
    changeHistory: (change) => {
      const changed = change(restoreHistory(context.memento.get<unknown>(key)));
      void context.memento.update(key, changed);
      return changed;
    },
  });
  if (entry === undefined) {
    return undefined;
  }
  const editCommand = {
    title: vscode.l10n.t('Edit Command…'),
    run: () =>
      askAndStart(context, there, {
        initial: entry.text,
        mode: entry.mode,
        cwd: entry.cwd,
        env: entry.env,
        ...(several && { several }),
      }).catch((error: unknown) => context.messages.failed(error)),
  };
  const parsed = parseCommandInput(entry.text, vscode.l10n);
  if (!parsed.ok) {
    context.messages.failed(new UserError(parsed.message), [editCommand]);
    return undefined;
  }
  const inFolder = several === undefined && there === undefined && entry.cwd === undefined;
  const folder = inFolder ? await chooseFolder(context) : { cwd: entry.cwd };
  if (folder === undefined) {
    return undefined;
  }
  const latest = restoreHistory(context.memento.get<unknown>(key));
  await context.memento.update(key, remember(latest, { text: entry.text, mode: entry.mode }));
  try {
    const start = {
      command: parsed.value,
      ...(there && { environment: there.id }),
      ...folder,
      ...inTerminal,
      env: entry.env ?? {},
      tty: entry.mode === 'terminal',
      pipeStdin: entry.mode === 'pipesWithInput',
      inFolderEnvironment: true,
    } as const;
    if (several !== undefined) {
      several.start(start, entry.text);
      return undefined;
    }
    return await startForUser(context, start);
  } catch (error) {
    // Another command line does not help if a setting is wrong.
    context.messages.failed(error, [
      error instanceof SettingError ? openSettingAction(error.setting) : editCommand,
    ]);
    return undefined;
  }
}

/** Starts the command that a person has chosen, and shows its terminal. */
export async function startForUser(context: CommandContext, start: CheckedStart): Promise<string> {
  const before = askFirst(context, start.env);
  return shown(context, await context.starter.start({ ...start, before }, USER), false);
}

/** Opens the terminal of a session that has just been started. */
export function shown({ terminals }: CommandContext, session: Session, preserveFocus: boolean): string {
  terminals.open(session, { fresh: true, preserveFocus });
  return session.id;
}

/** Asks for the folder of the workspace, where there are several. @returns undefined if the user gave up. */
export async function chooseFolder({
  dialogs,
}: Pick<CommandContext, 'dialogs'>): Promise<{ readonly cwd?: string | undefined } | undefined> {
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
