import * as vscode from 'vscode';

import { CommandId } from '../vscode/commands/commandIds.js';
import type { Rest } from './rest.js';

/** Registers every command. */
export function registerCommands(rest: Rest): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.values(CommandId).map((id) =>
      vscode.commands.registerCommand(id, async (...args: readonly unknown[]) => rest.load().run(id, args)),
    ),
  );
}
