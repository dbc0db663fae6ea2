import type * as vscode from 'vscode';

/** The type of our tasks in package.json and in tasks.json. */
export const TASK_TYPE = 'exec-session';

/** What a person wrote into tasks.json: everything but the type is only a promise. */
export interface SessionTaskDefinition extends vscode.TaskDefinition {
  readonly commandLine?: unknown;
  readonly cwd?: unknown;
  readonly env?: unknown;
  readonly environment?: unknown;
}

/** What VS Code knows of a task beside its definition. */
export interface TaskPlace {
  readonly name: string;
  /** The folder whose tasks.json has it, if that is one of this machine. */
  readonly folder: string | undefined;
}
