/**
 * The way to run a command: in a terminal, with pipes and empty standard input (`pipes`), or with pipes and open
 * standard input (`pipesWithInput`).
 */
export type RunMode = 'terminal' | 'pipes' | 'pipesWithInput';

const RUN_MODES = ['terminal', 'pipes', 'pipesWithInput'] as const satisfies readonly RunMode[];

/** The ways to run a command on a machine; the first one is the usual one. */
export function runModes(terminals: boolean): readonly [RunMode, ...RunMode[]] {
  return terminals ? RUN_MODES : ['pipesWithInput', 'pipes'];
}

/** A command line that was started, and the way it ran. */
export interface HistoryEntry {
  readonly text: string;
  readonly mode: RunMode;
}

export const HISTORY_LENGTH = 50;

/** Returns the history with a command put in front; an older entry of the same command is left out. */
export function remember(history: readonly HistoryEntry[], entry: HistoryEntry): readonly HistoryEntry[] {
  const others = history.filter(({ text }) => text !== entry.text);
  return [entry, ...others].slice(0, HISTORY_LENGTH);
}

/** Reads a stored history. Invalid entries are left out. */
export function restoreHistory(stored: unknown): readonly HistoryEntry[] {
  const entries: readonly unknown[] = Array.isArray(stored) ? stored : [];
  return entries.flatMap((entry) => {
    const { text, mode } = (entry ?? {}) as Partial<Record<keyof HistoryEntry, unknown>>;
    const known = RUN_MODES.find((one) => one === mode);
    return typeof text === 'string' && known !== undefined ? [{ text, mode: known }] : [];
  });
}
