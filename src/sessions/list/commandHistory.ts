/** In a terminal, or with pipes, whose standard input is at its end or open. */
export type RunMode = 'terminal' | 'pipes' | 'pipesWithInput';

export const RUN_MODES: readonly RunMode[] = ['terminal', 'pipes', 'pipesWithInput'];

/** A command line that was started, and how. */
export interface HistoryEntry {
  readonly text: string;
  readonly mode: RunMode;
}

export const HISTORY_LENGTH = 50;

/** The history with one more command in front; the same command is in it once. */
export function remember(history: readonly HistoryEntry[], entry: HistoryEntry): readonly HistoryEntry[] {
  const others = history.filter(({ text }) => text !== entry.text);
  return [entry, ...others].slice(0, HISTORY_LENGTH);
}

/** A history that was stored; what is not one in it is left out. */
export function restoreHistory(stored: unknown): readonly HistoryEntry[] {
  const entries: readonly unknown[] = Array.isArray(stored) ? stored : [];
  return entries.flatMap((entry) => {
    const { text, mode } = (entry ?? {}) as Partial<Record<keyof HistoryEntry, unknown>>;
    const known = RUN_MODES.find((one) => one === mode);
    return typeof text === 'string' && known !== undefined ? [{ text, mode: known }] : [];
  });
}
