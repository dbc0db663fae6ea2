import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import * as vscode from 'vscode';

import { isRecord, quoteArgument, quoteCommandLine } from '../../../core/index.js';
import { foldersOnDisk } from '../../thisMachine.js';

/** A command line that the workspace itself names. */
export interface CommandSuggestion {
  readonly text: string;
  /** Where it comes from, in words. */
  readonly from: string;
  /** The directory that it is meant for; by default that of the session. */
  readonly cwd?: string;
}

/** The scripts of the package.json files at the top of the workspace, and its tasks that are command lines. */
export async function commandSuggestions(): Promise<readonly CommandSuggestion[]> {
  const scripts = await Promise.all(foldersOnDisk().map(({ uri }) => packageScripts(uri.fsPath)));
  return [...scripts.flat(), ...(await taskCommands())];
}

const MANIFEST = 'package.json';

async function packageScripts(folder: string): Promise<readonly CommandSuggestion[]> {
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
    from: MANIFEST,
    cwd: folder,
  }));
}

/** The files that show which program runs the scripts of a folder. */
const LOCK_FILES = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
] as const;

async function taskCommands(): Promise<readonly CommandSuggestion[]> {
  const tasks = await vscode.tasks.fetchTasks();
  return tasks.flatMap(({ execution, name, definition, scope }) => {
    // Scripts are listed already.
    if (!(execution instanceof vscode.ShellExecution) || definition.type === 'npm') {
      return [];
    }
    const folder = typeof scope === 'object' ? scope.uri.fsPath : undefined;
    const inFolder = (part: string) =>
      folder === undefined ? part : part.replaceAll(FOLDER_VARIABLE, () => folder);
    const text =
      execution.commandLine === undefined
        ? commandLineOf(execution, inFolder)
        : inFolder(execution.commandLine);
    // VS Code gives the variable to each task of a tasks.json that names no directory.
    const named = execution.options?.cwd ?? FOLDER_VARIABLE;
    const cwd = named === FOLDER_VARIABLE ? folder : inFolder(named);
    const variables = [text, cwd ?? ''].some((part) => part.includes('${'));
    // Only VS Code itself can replace the other variables of a task, such as ${file}.
    return variables
      ? []
      : [
          {
            text,
            from: vscode.l10n.t('task "{0}"', name),
            ...(cwd !== undefined && { cwd: path.resolve(folder ?? '', cwd) }),
          },
        ];
  });
}

/** The folder of a task, in its texts. */
const FOLDER_VARIABLE = '${workspaceFolder}';

function commandLineOf({ command, args }: vscode.ShellExecution, replaced: (word: string) => string): string {
  const words = [command ?? '', ...(args ?? [])];
  return quoteCommandLine(words.map((word) => replaced(typeof word === 'string' ? word : word.value)));
}
