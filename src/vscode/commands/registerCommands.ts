import * as vscode from 'vscode';

import { type Disposable, DisposableStore } from '../../core/index.js';
import type { Messages } from '../messages.js';
import { CommandId, type CommandHandlers } from './commandIds.js';
import type { CommandContext } from './context.js';
import { agentCommands } from './agentCommands.js';
import { controlCommands } from './controlCommands.js';
import { environmentCommands } from './environmentCommands.js';
import { inputCommands } from './inputCommands.js';
import { outputCommands } from './outputCommands.js';
import { startCommands } from './startCommands.js';
import { stopCommands } from './stopCommands.js';
import { viewCommands } from './viewCommands.js';

export function commandHandlers(context: CommandContext): CommandHandlers {
  return {
    ...startCommands(context),
    ...environmentCommands(context),
    ...viewCommands(context),
    ...stopCommands(context),
    ...inputCommands(context),
    ...controlCommands(context),
    ...agentCommands(context),
    ...outputCommands(context),
  };
}

export function registerCommands(handlers: CommandHandlers, messages: Messages): Disposable {
  const store = new DisposableStore();
  for (const id of Object.values(CommandId)) {
    // A caller can pass any arguments; each handler checks those that it gets.
    const handler = handlers[id] as (...args: readonly unknown[]) => Promise<unknown>;
    store.add(
      vscode.commands.registerCommand(id, async (...args: readonly unknown[]) => {
        try {
          return await handler(...args);
        } catch (error) {
          messages.failed(error);
          if (isFromCode(args[0])) {
            throw error;
          }
          return undefined;
        }
      }),
    );
  }
  return store;
}

/**
 * Whether a program has called the command, which wants to know of a failure. A person, who chose a row, a key or a
 * terminal, has been told already.
 */
function isFromCode(argument: unknown): boolean {
  const fromMenuOrKey =
    typeof argument === 'object' &&
    argument !== null &&
    ('kind' in argument || 'selection' in argument || 'exitStatus' in argument);
  return argument !== undefined && argument !== null && !fromMenuOrKey;
}
