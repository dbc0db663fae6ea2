import * as vscode from 'vscode';

import type { Messages } from '../../messages.js';
import type { CommandHandlers, CommandId } from '../commandIds.js';

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
