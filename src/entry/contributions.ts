import { delimiter } from 'node:path';

import * as vscode from 'vscode';

import type { TreeNode } from '../vscode/tree/nodes.js';
import { DIAGNOSTICS_SCHEME, OUTPUT_SCHEME, SESSIONS_VIEW } from '../vscode/ids.js';
import type { LazyMain } from './lazyMain.js';
import type { CommandId } from '../vscode/commands/commandIds.js';
import type { Main } from '../vscode/main.js';
import { type SessionTaskDefinition, TASK_TYPE } from '../vscode/tasks/taskDefinition.js';
import { wrapperFor } from '../vscode/cli/wrapper.js';
import { putPrivateFile } from '../vscode/privateFile.js';

/** Makes the view of the sessions. The rest is loaded when VS Code asks for its rows: when it is first seen. */
export function createView(main: LazyMain): vscode.TreeView<TreeNode> {
  const changed = new vscode.EventEmitter<TreeNode[] | undefined>();
  main.onDidLoad(({ rowChanges }) => rowChanges((rows) => changed.fire(rows)));
  const rows: Required<vscode.TreeDataProvider<TreeNode>> = {
    onDidChangeTreeData: changed.event,
    getChildren: (node) => main.load().tree.getChildren(node),
    getTreeItem: (node) => main.load().tree.getTreeItem(node),
    getParent: (node) => main.load().tree.getParent(node),
    resolveTreeItem: (item, node) => main.load().tree.resolveTreeItem(item, node),
  };
  const dragAndDropController: vscode.TreeDragAndDropController<TreeNode> = {
    dragMimeTypes: [],
    dropMimeTypes: ['text/uri-list', 'text/plain'],
    handleDrop: (target, dropped) => main.load().startDropped(target, dropped),
  };
  const view = vscode.window.createTreeView(SESSIONS_VIEW, {
    treeDataProvider: rows,
    canSelectMany: true,
    dragAndDropController,
  });
  clearBadge(view);
  return view;
}

/**
 * Removes the badge of an earlier extension host, which stays on the icon. It may still show the number of that host's
 * sessions.
 */
function clearBadge(view: vscode.TreeView<TreeNode>): void {
  // VS Code ignores the removal of a badge that this view has not set, so one is set first.
  view.badge = { value: 0, tooltip: '' };
  view.badge = undefined;
}

/** The part of our package.json that is used. It declares exactly the commands of the code. */
interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: CommandId }[] };
}

/** Registers every command. */
export function registerCommands(
  main: LazyMain,
  { packageJSON }: vscode.Extension<unknown>,
): vscode.Disposable {
  const { contributes } = packageJSON as Manifest;
  return vscode.Disposable.from(
    ...contributes.commands.map(({ command }) =>
      vscode.commands.registerCommand(command, async (...args: readonly unknown[]) =>
        main.load().run(command, args),
      ),
    ),
  );
}

/** Registers the documents with the output of sessions, and the report about the extension. */
export function registerDocuments(main: LazyMain): vscode.Disposable {
  return vscode.Disposable.from(
    register(main, OUTPUT_SCHEME, ({ documents }) => documents),
    register(main, DIAGNOSTICS_SCHEME, ({ diagnostics }) => diagnostics),
  );
}

function register(
  main: LazyMain,
  scheme: string,
  provider: (loaded: Main) => Pick<vscode.TextDocumentContentProvider, 'provideTextDocumentContent'> & {
    readonly onDidChange: vscode.Event<vscode.Uri>;
  },
): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  main.onDidLoad((loaded) => provider(loaded).onDidChange((uri) => changed.fire(uri)));
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changed.event,
    provideTextDocumentContent: (uri, token) => provider(main.load()).provideTextDocumentContent(uri, token),
  });
}

/** The id of the profile in package.json. */
const PROFILE = 'execSessions.session';

/** Puts sessions into VS Code's menu of new terminals. */
export function registerProfile(main: LazyMain): vscode.Disposable {
  return vscode.window.registerTerminalProfileProvider(PROFILE, {
    provideTerminalProfile: () => main.load().profile(),
  });
}

/** Lets tasks.json have tasks that run as sessions. The rest is loaded when the first one runs. */
export function registerTasks(main: LazyMain): vscode.Disposable {
  return vscode.tasks.registerTaskProvider(TASK_TYPE, {
    // The only tasks are those that people write.
    provideTasks: () => [],
    resolveTask: (task) => runnable(main, task),
  });
}

function runnable(main: LazyMain, task: vscode.Task): vscode.Task {
  const { definition, scope, problemMatchers } = task;
  // VS Code has no name for a task without a label.
  const name = task.name || String((definition as SessionTaskDefinition).commandLine);
  const uri = typeof scope === 'object' ? scope.uri : undefined;
  const folder = uri?.scheme === 'file' ? uri.fsPath : undefined;
  const execution = new vscode.CustomExecution((resolved) => main.load().runTask(resolved, { name, folder }));
  // VS Code accepts the task only with the same definition.
  return new vscode.Task(
    definition,
    scope ?? vscode.TaskScope.Workspace,
    name,
    'Exec Sessions',
    execution,
    problemMatchers,
  );
}

/** Puts the command `exec-sessions` onto the PATH of VS Code's terminals. */
export function offerCommandLine(
  main: LazyMain,
  { environmentVariableCollection: variables, globalStorageUri, extensionPath }: vscode.ExtensionContext,
): void {
  const wrapper = wrapperFor(globalStorageUri.fsPath, extensionPath);
  variables.description = vscode.l10n.t('Adds the command {0}', '`exec-sessions`');
  // Appended, so another program of this name on the PATH wins.
  variables.append('PATH', `${delimiter}${wrapper.folder}`);
  try {
    putPrivateFile(wrapper.file, wrapper.text);
  } catch (error) {
    main.logError(`Cannot write ${wrapper.file}: ${String(error)}`);
  }
}
