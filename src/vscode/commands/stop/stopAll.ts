import * as vscode from 'vscode';

import { delay, systemClock } from '../../../core/index.js';
import { LOCAL_ID, type Session } from '../../../sessions/list/index.js';
import { leftoverText } from '../../../sessions/words/index.js';
import { endLeftoverOf } from '../../stopper.js';
import type { CommandContext } from '../context.js';
import { names, quoted } from '../sessionNames.js';
import { canBeStopped } from '../wanted.js';

/** The time to wait for other machines, which may be out of reach. After that, their last answer counts. */
const LOOK_LIMIT_MS = 2_000;

/**
 * Stops all sessions with processes that Stop reaches, after a question. Names the leftover processes that Stop does
 * not reach; these may be meant to go on.
 */
export async function stopAll(
  context: Pick<CommandContext, 'dialogs' | 'folders' | 'list' | 'messages' | 'stopper'>,
): Promise<void> {
  const { list, messages, stopper } = context;
  await lookAtEnded(list.sessions);
  const sessions = list.sessions.filter((session) => canBeStopped(session.snapshot()));
  const left = list.sessions.filter((session) => !sessions.includes(session) && session.survivors.length > 0);
  if (sessions.length > 0) {
    const chosen = await chooseToStop(context, sessions);
    if (chosen.length === 0) {
      return;
    }
    await stopper.stopVisibly(chosen);
  } else if (left.length === 0) {
    messages.tell(vscode.l10n.t('No session is running; there is nothing to stop.'));
  }
  const [first] = left;
  if (first !== undefined) {
    const survivors = left.flatMap((session) => session.survivors);
    messages.warn(leftoverText(survivors, vscode.l10n), left.length === 1 ? [endLeftoverOf(first)] : []);
  }
}

/** Asks which of the sessions to stop: those of this window or all, if other folders have some. */
async function chooseToStop(
  { dialogs, folders }: Pick<CommandContext, 'dialogs' | 'folders'>,
  sessions: readonly Session[],
): Promise<readonly Session[]> {
  const own = sessions.filter((session) => folders.has(session));
  if (own.length === sessions.length) {
    const question = vscode.l10n.t('Stop {0}?', quoted(sessions));
    return (await dialogs.confirm(question, names(sessions), vscode.l10n.t('Stop All'))) ? sessions : [];
  }
  const others = sessions.filter((session) => !own.includes(session));
  const stopAllOfThem = vscode.l10n.t('Stop All {0}', sessions.length);
  const elsewhere = vscode.l10n.t('In other folders:\n{0}', names(others));
  if (own.length === 0) {
    const question = vscode.l10n.t(
      'No session of this window is running. Stop {0} in other folders?',
      quoted(others),
    );
    return (await dialogs.choose(question, elsewhere, stopAllOfThem)) === stopAllOfThem ? sessions : [];
  }
  const question = vscode.l10n.t(
    'Stop sessions? {0} of this window, {1} in all',
    own.length,
    sessions.length,
  );
  const stopOwn = vscode.l10n.t('Stop {0} of This Window', own.length);
  const detail = `${names(own)}\n\n${elsewhere}`;
  const answer = await dialogs.choose(question, detail, stopOwn, stopAllOfThem);
  return answer === stopOwn ? own : answer === stopAllOfThem ? sessions : [];
}

/** Looks again for leftover processes of ended sessions, on machines that can list them. */
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
