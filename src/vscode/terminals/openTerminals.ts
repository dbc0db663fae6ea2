import * as vscode from 'vscode';

import { isRecord } from '../../core/index.js';
import { OPEN_TERMINALS_KEY } from './openTerminalsKey.js';

/** A terminal that was open, as it is remembered for the next start of the window. */
export interface OpenTerminal {
  /** The id of the session that it showed. */
  readonly session: string;
  /** The name of its tab. */
  readonly name?: string;
  /** The editor column that it was in; undefined for the panel. */
  readonly column?: number;
  /** Whether it was the active terminal. */
  readonly active?: true;
}

/** The most terminals that are remembered. No person looks through more. */
const MOST_REMEMBERED = 100;

/** Reads the remembered terminals. Invalid entries are left out. */
export function rememberedTerminals(memento: Pick<vscode.Memento, 'get'>): readonly OpenTerminal[] {
  const stored = memento.get<unknown>(OPEN_TERMINALS_KEY);
  const entries: readonly unknown[] = Array.isArray(stored) ? stored : [];
  return entries.slice(0, MOST_REMEMBERED).flatMap((entry) => {
    if (!isRecord(entry) || typeof entry['session'] !== 'string') {
      return [];
    }
    const { session, name, column, active } = entry;
    return [
      {
        session,
        ...(typeof name === 'string' && { name }),
        ...(typeof column === 'number' && Number.isInteger(column) && column >= 1 && { column }),
        ...(active === true && { active }),
      },
    ];
  });
}

/**
 * The editor column of a terminal's tab; undefined for one in the panel. VS Code identifies tabs by their names only.
 */
export function columnOf({ name }: Pick<vscode.Terminal, 'name'>): number | undefined {
  return vscode.window.tabGroups.all.find(({ tabs }) =>
    tabs.some(({ input, label }) => input instanceof vscode.TabInputTerminal && label === name),
  )?.viewColumn;
}
