import * as vscode from 'vscode';

import type { CommandId } from '../vscode/commands/commandIds.js';
import type { Rest } from './rest.js';

/** The part of our package.json that is used. It declares exactly the commands of the code. */
interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: CommandId }[] };
}

/** Registers every command. */
export function registerCommands(rest: Rest, { packageJSON }: vscode.Extension<unknown>): vscode.Disposable {
  const { contributes } = packageJSON as Manifest;
  return vscode.Disposable.from(
    ...contributes.commands.map(({ command }) =>
      vscode.commands.registerCommand(command, async (...args: readonly unknown[]) =>
        rest.load().run(command, args),
      ),
    ),
  );
}
