import * as vscode from 'vscode';

import { type Clock, delay } from '../../core/index.js';

/** The time for a terminal's process to become known, in milliseconds. */
const PROCESS_MS = 2_000;

/**
 * Finds the terminals of ours that an extension host that was killed has left behind: VS Code keeps them, and nobody
 * writes into them any more. What may be anything else is left out.
 *
 * @param names The names that our terminals had, each as often as there were terminals of it.
 */
export function possibleGhosts(names: readonly string[]): readonly vscode.Terminal[] {
  const left = [...names];
  return vscode.window.terminals.filter((terminal) => {
    const index = left.indexOf(terminal.name);
    const found = index >= 0 && hasNoOwner(terminal);
    if (found) {
      left.splice(index, 1);
    }
    return found;
  });
}

/** Closes those of them that have no process either. */
export async function closeGhosts(terminals: readonly vscode.Terminal[], clock: Clock): Promise<void> {
  await Promise.all(
    terminals.map(async (terminal) => {
      const limit = new AbortController();
      const pid = await Promise.race([terminal.processId, delay(clock, PROCESS_MS, limit.signal)]);
      limit.abort();
      // VS Code has a number for what is no process.
      if (pid === undefined || pid < 0) {
        terminal.dispose();
      }
    }),
  );
}

/** Terminals of this extension host have a `pty`, those of programs a path; a ghost has neither. */
function hasNoOwner({ creationOptions, exitStatus }: vscode.Terminal): boolean {
  return (
    exitStatus === undefined &&
    !('pty' in creationOptions) &&
    (creationOptions as vscode.TerminalOptions).shellPath === undefined
  );
}
