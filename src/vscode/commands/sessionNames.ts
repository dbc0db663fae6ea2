import * as vscode from 'vscode';

import { shorten } from '../../core/index.js';
import type { Session } from '../../sessions/list/index.js';
import { nameInMessage } from '../../sessions/words/index.js';

/** The name of the only session, or how many there are. */
export function quoted(sessions: readonly Session[]): string {
  const [first] = sessions;
  return sessions.length === 1 && first !== undefined
    ? `"${nameInMessage(first.label)}"`
    : vscode.l10n.t('{0} sessions', sessions.length);
}

/** The names of all, one a line. */
export function names(sessions: readonly Session[]): string {
  return shorten(sessions.map(({ label }) => nameInMessage(label)).join('\n'), 1_000);
}
