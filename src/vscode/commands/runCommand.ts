import * as vscode from 'vscode';

import type { Messages } from '../messages.js';
import type { CommandHandlers, CommandId } from './commandIds.js';

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
 * Whether a person has clicked on a row that VS Code drew anew at that moment: it no longer knows which row that was, and
 * says so instead of naming it, alone and among those that are selected. Without any row it gives no arguments.
 */
function isOfLostRow([row, rows]: readonly unknown[]): boolean {
  return row === undefined && Array.isArray(rows) && rows.length > 0 && rows[0] === undefined;
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
