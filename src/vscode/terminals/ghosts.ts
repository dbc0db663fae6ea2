import type { Terminal, TerminalOptions } from 'vscode';

import { type Clock, delay } from '../../core/index.js';

/** The time for a terminal's process to become known, in milliseconds. */
const PROCESS_MS = 2_000;

/** What is known of a terminal of this window. */
export type MaybeGhost = Pick<Terminal, 'name' | 'creationOptions' | 'exitStatus' | 'processId' | 'dispose'>;

/**
 * Finds the terminals of ours that an extension host that was killed has left behind: VS Code keeps them, and nobody
 * writes into them any more. What is anything else without a doubt is left out.
 *
 * @param names The names that our terminals had, each as often as there were terminals of it.
 */
export function possibleGhosts<T extends MaybeGhost>(
  terminals: readonly T[],
  names: readonly string[],
): readonly T[] {
  return terminals.filter((terminal) => names.includes(terminal.name) && hasNoOwner(terminal));
}

/**
 * Closes those of them that have no process either. If there are more of a name than ours were, some are of another
 * extension, which look the same: then none of that name is closed.
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
  // VS Code has a number for what is no process.
  return pid !== undefined && pid >= 0;
}

/** Terminals of this extension host have a `pty`, those of programs a path; a ghost has neither. */
function hasNoOwner({ creationOptions, exitStatus }: MaybeGhost): boolean {
  return (
    exitStatus === undefined &&
    !('pty' in creationOptions) &&
    (creationOptions as TerminalOptions).shellPath === undefined
  );
}
