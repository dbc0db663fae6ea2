import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import * as vscode from 'vscode';

import { isRecord, quoteArgument, quoteCommandLine, type VariableChanges } from '../../../core/index.js';
import { LOCAL_ID } from '../../../sessions/list/index.js';
import { parseStartOptions } from '../../../sessions/options/index.js';
import { type SessionTaskDefinition, TASK_TYPE } from '../../tasks/taskDefinition.js';
import { foldersOnDisk, workingDirectory } from '../../thisMachine.js';

/** A command line that the workspace itself names. */
export interface CommandSuggestion {
  readonly text: string;
  /** Where it comes from, in words. */
  readonly from: string;
  /** The directory that it is meant for; by default that of the session. */
  readonly cwd?: string | undefined;
  readonly env?: VariableChanges;
}

/**
 * The scripts of the package.json files at the top of the workspace, and its tasks that are command lines. Tasks come
 * later, since VS Code asks all extensions for theirs.
 *
 * @param environment The one where the command is to run. On other machines there are only tasks of our type.
 */
export function commandSuggestions(environment: string): readonly Promise<readonly CommandSuggestion[]>[] {
  const folders = environment === LOCAL_ID ? foldersOnDisk() : [];
  return [
    Promise.all(folders.map((folder) => packageScripts(folder))).then((scripts) => scripts.flat()),
    taskCommands(environment),
  ];
}

const MANIFEST = 'package.json';

async function packageScripts({
  name: folderName,
  uri,
}: vscode.WorkspaceFolder): Promise<readonly CommandSuggestion[]> {
  const folder = uri.fsPath;
  let manifest: unknown;
  try {
    manifest = JSON.parse(await readFile(path.join(folder, MANIFEST), 'utf8'));
  } catch {
    // The file does not exist, or is being edited.
    return [];
  }
  const scripts = isRecord(manifest) && isRecord(manifest['scripts']) ? manifest['scripts'] : {};
  const runner = LOCK_FILES.find(([file]) => existsSync(path.join(folder, file)))?.[1] ?? 'npm';
  return Object.keys(scripts).map((name) => ({
    text: `${runner} run ${quoteArgument(name)}`,
    from: foldersOnDisk().length > 1 ? `${folderName}/${MANIFEST}` : MANIFEST,
    cwd: folder,
  }));
}

/** The files that show which program runs the scripts of a folder. */
const LOCK_FILES = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
] as const;

async function taskCommands(environment: string): Promise<readonly CommandSuggestion[]> {
  const tasks = await vscode.tasks.fetchTasks();
  return tasks.flatMap((task) => {
    const scope = typeof task.scope === 'object' ? task.scope : undefined;
    const folder = scope?.uri.fsPath;
    const inFolder = (part: string) =>
      folder === undefined ? part : part.replaceAll(FOLDER_VARIABLE, () => folder);
    const start = task.definition.type === TASK_TYPE ? ownTask(task, inFolder) : shellTask(task, inFolder);
    if (start?.environment !== environment) {
      return [];
    }
    const { text, cwd, env } = start;
    const values = [text, cwd ?? '', ...Object.values(env ?? {})];
    // Only VS Code itself can replace the other variables of a task, such as ${file}.
    if (values.some((value) => value?.includes('${'))) {
      return [];
    }
    const isKnown = environment === LOCAL_ID && (cwd ?? folder) !== undefined;
    return [
      {
        text,
        from:
          scope !== undefined && foldersOnDisk().length > 1
            ? vscode.l10n.t('task "{0}" of {1}', task.name, scope.name)
            : vscode.l10n.t('task "{0}"', task.name),
        cwd: isKnown ? workingDirectory(cwd, folder) : cwd,
        ...(env && { env }),
      },
    ];
  });
}

interface TaskStart {
  readonly environment: string;
  readonly text: string;
  readonly cwd?: string | undefined;
  readonly env?: VariableChanges;
}

/**
 * Where and how a task of our type runs; undefined if it is not complete. A task with a sandbox is not offered, because
 * the history of New Session would later run its command without.
 */
function ownTask({ definition }: vscode.Task, inFolder: (part: string) => string): TaskStart | undefined {
  const { commandLine, cwd, env, environment, sandbox } = definition as SessionTaskDefinition;
  const start = parseStartOptions({ commandLine, cwd, env, environment, sandbox }, vscode.l10n);
  if (!start.ok || typeof commandLine !== 'string' || start.value.sandbox !== undefined) {
    return undefined;
  }
  const { value } = start;
  const variables = Object.entries(value.env).map(([name, text]) => [name, text && inFolder(text)]);
  return {
    environment: value.environment ?? LOCAL_ID,
    text: inFolder(commandLine),
    cwd: value.cwd && inFolder(value.cwd),
    ...(variables.length > 0 && { env: Object.fromEntries(variables) as VariableChanges }),
  };
}

/** How a task with a command line for a shell runs; undefined for other tasks, and for scripts, which are listed already. */
function shellTask(
  { execution, definition }: vscode.Task,
  inFolder: (part: string) => string,
): TaskStart | undefined {
  if (!(execution instanceof vscode.ShellExecution) || definition.type === 'npm') {
    return undefined;
  }
  const { commandLine, options } = execution;
  // VS Code gives the variable to each task of a tasks.json that names no directory.
  const cwd = inFolder(options?.cwd ?? FOLDER_VARIABLE);
  return {
    environment: LOCAL_ID,
    text: commandLine === undefined ? commandLineOf(execution, inFolder) : inFolder(commandLine),
    cwd: cwd === FOLDER_VARIABLE ? undefined : cwd,
  };
}

/** The folder of a task, in its texts. */
const FOLDER_VARIABLE = '${workspaceFolder}';

function commandLineOf({ command, args }: vscode.ShellExecution, replaced: (word: string) => string): string {
  const words = [command ?? '', ...(args ?? [])];
  return quoteCommandLine(words.map((word) => replaced(typeof word === 'string' ? word : word.value)));
}
