import * as vscode from 'vscode';

import { type CommandHandlers, CommandId } from './commandIds.js';
import type { CommandContext } from './context.js';
import { agentCommands } from './agentCommands.js';
import { arrangeCommands } from './look/arrangeCommands.js';
import { extensionCommands } from './extensionCommands.js';
import { inputCommands } from './inputCommands.js';
import { allocationCommands } from './places/allocationCommands.js';
import { environmentCommands } from './places/environmentCommands.js';
import { stopCommands } from './stop/stopCommands.js';
import { outputCommands } from './look/outputCommands.js';
import { portCommands } from './look/portCommands.js';
import { receiptCommands } from './look/receiptCommands.js';
import { leftoverCommands } from './stop/leftoverCommands.js';
import { removeCommands } from './stop/removeCommands.js';
import { restartCommands } from './start/restartCommands.js';
import { batchCommands } from './start/batchCommands.js';
import { startCommands } from './start/startCommands.js';
import { viewCommands } from './look/viewCommands.js';
import type { Messages } from '../messages.js';

export function commandHandlers(context: CommandContext): CommandHandlers {
  const stops = stopCommands(context);
  const restarts = restartCommands(context);
  return {
    ...startCommands(context),
    ...batchCommands(context),
    ...allocationCommands(context),
    ...environmentCommands(context),
    ...viewCommands(context),
    ...arrangeCommands(context),
    ...stops,
    [CommandId.stopInTerminal]: stops[CommandId.stop],
    ...restarts,
    [CommandId.restartInTerminal]: restarts[CommandId.restart],
    ...removeCommands(context),
    ...inputCommands(context),
    ...agentCommands(context),
    ...extensionCommands(context),
    ...outputCommands(context),
    ...portCommands(context),
    ...receiptCommands(context),
    ...leftoverCommands(context),
  };
}

/** Runs a command. People are told of a failure; programs get it as well. */
export async function runCommand(
  handlers: CommandHandlers,
  messages: Messages,
  id: CommandId,
  args: readonly unknown[],
): Promise<unknown> {
  if (isOfLostRow(args)) {
    messages.did(vscode.l10n.t('The list has just changed, so nothing was done. Try again.'));
    return undefined;
  }
  // A caller can pass any arguments; each handler checks those that it gets.
  const handler = handlers[id] as (...args: readonly unknown[]) => Promise<unknown>;
  try {
    return await handler(...args);
  } catch (error) {
    messages.failed(error);
    if (isFromCode(args[0])) {
      throw error;
    }
    return undefined;
  }
}

/**
 * Whether a person has clicked on a row that VS Code drew anew at that moment. VS Code then no longer knows the row and
 * passes undefined for it, also in the list of selected rows. Without any row it passes no arguments.
 */
function isOfLostRow([row, rows]: readonly unknown[]): boolean {
  return row === undefined && Array.isArray(rows) && rows.length > 0 && rows[0] === undefined;
}

/**
 * Whether a program has called the command and so wants to get the failure. A person who chose a row, a key or a
 * terminal has been told already.
 */
function isFromCode(argument: unknown): boolean {
  const fromMenuOrKey =
    typeof argument === 'object' &&
    argument !== null &&
    ('kind' in argument || 'selection' in argument || 'exitStatus' in argument);
  return argument !== undefined && argument !== null && !fromMenuOrKey;
}
