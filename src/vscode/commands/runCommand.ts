import type { Messages } from '../messages.js';
import type { CommandHandlers, CommandId } from './commandIds.js';

/** Runs a command. People are told of a failure; programs get it as well. */
export async function runCommand(
  handlers: CommandHandlers,
  messages: Messages,
  id: CommandId,
  args: readonly unknown[],
): Promise<unknown> {
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
