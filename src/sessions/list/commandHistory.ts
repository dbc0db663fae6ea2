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
  /** Whether a person wants to keep it: it stays above the others, however many follow. */
  readonly saved?: true;
}

const HISTORY_LENGTH = 50;

/**
 * Returns the history with a command added as the first of those that are not saved. An older entry of the same command
 * is left out; a saved one stays as it is.
 */
export function remember(history: readonly HistoryEntry[], entry: HistoryEntry): readonly HistoryEntry[] {
  const saved = history.filter((one) => one.saved);
  if (saved.some(({ text }) => text === entry.text)) {
    return history;
  }
  const others = history.filter((one) => one.saved !== true && one.text !== entry.text);
  return [...saved, entry, ...others].slice(0, saved.length + HISTORY_LENGTH);
}

/** Returns the history with a command saved, as the last of the saved ones. */
export function save(
  history: readonly HistoryEntry[],
  { text, mode }: HistoryEntry,
): readonly HistoryEntry[] {
  const others = forget(history, { text });
  const saved = others.filter((one) => one.saved);
  return [...saved, { text, mode, saved: true }, ...others.filter((one) => one.saved !== true)];
}

/** Returns the history with a command no longer saved. It becomes the newest of the others. */
export function unsave(
  history: readonly HistoryEntry[],
  { text, mode }: HistoryEntry,
): readonly HistoryEntry[] {
  return remember(forget(history, { text }), { text, mode });
}

/** Returns the history without a command. */
export function forget(
  history: readonly HistoryEntry[],
  { text }: Pick<HistoryEntry, 'text'>,
): readonly HistoryEntry[] {
  return history.filter((one) => one.text !== text);
}

/** Reads a stored history. Invalid entries are left out. */
export function restoreHistory(stored: unknown): readonly HistoryEntry[] {
  const entries: readonly unknown[] = Array.isArray(stored) ? stored : [];
  return entries.flatMap((entry) => {
    const { text, mode, saved } = (entry ?? {}) as Partial<Record<keyof HistoryEntry, unknown>>;
    const known = RUN_MODES.find((one) => one === mode);
    return typeof text === 'string' && known !== undefined
      ? [{ text, mode: known, ...(saved === true && { saved }) }]
      : [];
  });
}
