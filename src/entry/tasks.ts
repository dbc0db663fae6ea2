import * as vscode from 'vscode';

import { type SessionTaskDefinition, TASK_TYPE } from '../vscode/tasks/taskDefinition.js';
import type { Rest } from './rest.js';

/** Lets tasks.json have tasks that run as sessions. The rest is loaded when the first one runs. */
export function registerTasks(rest: Rest): vscode.Disposable {
  return vscode.tasks.registerTaskProvider(TASK_TYPE, {
    // The only tasks are those that people write.
    provideTasks: () => [],
    resolveTask: (task) => runnable(rest, task),
  });
}

function runnable(rest: Rest, task: vscode.Task): vscode.Task {
  const { definition, scope, problemMatchers } = task;
  // VS Code has no name for a task without a label.
  const name = task.name || String((definition as SessionTaskDefinition).commandLine);
  const uri = typeof scope === 'object' ? scope.uri : undefined;
  const folder = uri?.scheme === 'file' ? uri.fsPath : undefined;
  const execution = new vscode.CustomExecution((resolved) => rest.load().runTask(resolved, { name, folder }));
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
