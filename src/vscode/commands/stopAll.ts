import * as vscode from 'vscode';

import { delay, systemClock } from '../../core/index.js';
import { LOCAL_ID, type Session } from '../../sessions/list/index.js';
import { leftoverText } from '../../sessions/words/index.js';
import { endLeftoverOf } from '../stopper.js';
import type { CommandContext } from './context.js';
import { names, quoted } from './sessionNames.js';
import { canBeStopped } from './wanted.js';

/** How long to wait for other machines, which may be out of reach just now; then what it said last counts. */
const LOOK_LIMIT_MS = 2_000;

/**
 * Stops after a question all sessions of which something runs that a stop reaches. What ended ones have left behind out
 * of reach is named; it may be meant to go on.
 */
export async function stopAll({ list, dialogs, messages, stopper }: CommandContext): Promise<void> {
  await lookAtEnded(list.sessions);
  const sessions = list.sessions.filter((session) => canBeStopped(session.snapshot()));
  const left = list.sessions.filter((session) => !sessions.includes(session) && session.survivors.length > 0);
  if (sessions.length > 0) {
    const question = vscode.l10n.t('Stop {0}?', quoted(sessions));
    if (!(await dialogs.confirm(question, names(sessions), vscode.l10n.t('Stop All')))) {
      return;
    }
    await stopper.stopVisibly(sessions);
  } else if (left.length === 0) {
    messages.tell(vscode.l10n.t('No session is running; there is nothing to stop.'));
  }
  const [first] = left;
  if (first !== undefined) {
    const survivors = left.flatMap((session) => session.survivors);
    messages.warn(leftoverText(survivors, vscode.l10n), left.length === 1 ? [endLeftoverOf(first)] : []);
  }
}

/** Looks again at what ended sessions have left behind, on machines that can tell. */
async function lookAtEnded(sessions: readonly Session[]): Promise<void> {
  const ended = sessions.filter(
    ({ state, environment }) => state === 'closed' && environment.backend.capabilities.survivors,
  );
  const limit = new AbortController();
  const tooLate = delay(systemClock, LOOK_LIMIT_MS, limit.signal);
  await Promise.allSettled(
    ended.map((session) => {
      const look = session.lookForSurvivors();
      return session.environment.id === LOCAL_ID ? look : Promise.race([look, tooLate]);
    }),
  );
  limit.abort();
}
