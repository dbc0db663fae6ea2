import * as vscode from 'vscode';

import type { Session } from '../../sessions/list/index.js';
import { nameInMessage, originText } from '../../sessions/words/index.js';

/** The name of the only session, or how many there are. */
export function quoted(sessions: readonly Session[]): string {
  const [first] = sessions;
  return sessions.length === 1 && first !== undefined
    ? `"${nameInMessage(first.label)}"`
    : vscode.l10n.t('{0} sessions', sessions.length);
}

const NAMED_SESSIONS = 10;

/** The names of some sessions, one a line; of many, only a few. Says which ones agents have started. */
export function names(sessions: readonly Session[]): string {
  const named = sessions.slice(0, NAMED_SESSIONS).map((session) => {
    const name = nameInMessage(session.label);
    const { origin } = session.request;
    return origin.kind === 'agent' ? `${name} · ${nameInMessage(originText(origin, vscode.l10n))}` : name;
  });
  const more = sessions.length - named.length;
  return [...named, ...(more > 0 ? [vscode.l10n.t('and {0} more', more)] : [])].join('\n');
}
