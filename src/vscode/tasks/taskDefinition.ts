import type * as vscode from 'vscode';

/** The type of our tasks in package.json and in tasks.json. */
export const TASK_TYPE = 'exec-session';

/** The task as a person wrote it into tasks.json. Only the type is certain. */
export interface SessionTaskDefinition extends vscode.TaskDefinition {
  readonly commandLine?: unknown;
  readonly cwd?: unknown;
  readonly env?: unknown;
  readonly environment?: unknown;
  readonly sandbox?: unknown;
}

/** The facts that VS Code has about a task besides its definition. */
export interface TaskPlace {
  readonly name: string;
  /** The folder whose tasks.json has the task, if the folder is on this machine. */
  readonly folder: string | undefined;
}
