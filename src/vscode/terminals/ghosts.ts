import type { Terminal, TerminalOptions } from 'vscode';

import { type Clock, delay } from '../../core/index.js';

/** The time for a terminal's process to become known, in milliseconds. */
const PROCESS_MS = 2_000;

/** The facts about a terminal of this window. */
export type MaybeGhost = Pick<Terminal, 'name' | 'creationOptions' | 'exitStatus' | 'processId' | 'dispose'>;

/**
 * Finds our terminals that a killed extension host has left behind. VS Code keeps them, but no program writes into them
 * any more. Terminals that are certainly something else are left out.
 *
 * @param names The names of our terminals, one entry for each terminal.
 */
export function possibleGhosts<T extends MaybeGhost>(
  terminals: readonly T[],
  names: readonly string[],
): readonly T[] {
  return terminals.filter((terminal) => names.includes(terminal.name) && hasNoOwner(terminal));
}

/**
 * Closes those of them that also have no process. If more terminals have a name than ours had, some belong to another
 * extension and look the same. Then no terminal of that name is closed.
 */
export async function closeGhosts(
  terminals: readonly MaybeGhost[],
  names: readonly string[],
  clock: Clock,
): Promise<void> {
  const dead = await Promise.all(terminals.map(async (one) => ((await hasProcess(one, clock)) ? [] : [one])));
  const ghosts = dead.flat();
  const countOf = (wanted: string, all: readonly string[]) => all.filter((name) => name === wanted).length;
  const found = ghosts.map(({ name }) => name);
  for (const ghost of ghosts.filter(({ name }) => countOf(name, found) <= countOf(name, names))) {
    ghost.dispose();
  }
}

async function hasProcess({ processId }: MaybeGhost, clock: Clock): Promise<boolean> {
  const limit = new AbortController();
  const pid = await Promise.race([processId, delay(clock, PROCESS_MS, limit.signal)]);
  limit.abort();
  // VS Code has a number for terminals without a process.
  return pid !== undefined && pid >= 0;
}

/** Terminals of this extension host have a `pty`, and terminals of programs have a path. A ghost has neither. */
function hasNoOwner({ creationOptions, exitStatus }: MaybeGhost): boolean {
  return (
    exitStatus === undefined &&
    !('pty' in creationOptions) &&
    (creationOptions as TerminalOptions).shellPath === undefined
  );
}
