import * as vscode from 'vscode';

import { LOCAL_ID, type Removal, type Session } from '../../../sessions/list/index.js';
import { isApart } from '../../../sessions/tree/index.js';
import { CommandId, type CommandHandlers } from '../commandIds.js';
import type { CommandContext } from '../context.js';
import { names, quoted } from '../sessionNames.js';
import { wanted } from '../wanted.js';

/** The time for which a removal can be undone, in milliseconds. */
const UNDO_MS = 10_000;

/** Commands that remove sessions from the list, and bring them back. */
export function removeCommands(context: CommandContext) {
  const { list, targets, stopper, messages, arrangement, folders } = context;
  let last: Removal | undefined;
  const undo = (removal: Removal | undefined) => {
    const back = removal?.undo() ?? [];
    if (back.length === 0) {
      messages.tell(
        vscode.l10n.t('There is nothing to bring back: a removal can be undone for ten seconds only.'),
      );
    } else {
      messages.did(vscode.l10n.t('Brought back {0}.', quoted(back)));
    }
  };
  const remove = (sessions: readonly Session[]) => {
    const closed = context.terminals.closeOf(sessions.filter(({ ended }) => ended));
    const removal = list.setAside(sessions, UNDO_MS);
    if (removal.sessions.length > 0) {
      last = removal;
      messages.tell(removedText(context, removal.sessions, closed), [
        { title: vscode.l10n.t('Undo'), run: () => undo(removal) },
      ]);
    }
  };
  const stopAndRemove = {
    title: vscode.l10n.t('Stop and Remove'),
    run: async (running: readonly Session[]) => remove(await stopper.stopVisibly(running)),
  };
  return {
    [CommandId.remove]: async (target, all) => {
      const { suitable, others } = await targets.find(target, all, wanted.remove(stopAndRemove));
      const answer = suitable.length === 0 ? 'no' : await askToRemove(context, suitable);
      if (answer === 'no') {
        return;
      }
      // A session that could not be stopped keeps its row. A message names its leftover processes.
      const open = answer === 'stopFirst' ? suitable.filter(isOpen) : [];
      const stopped = open.length === 0 ? [] : await stopper.stopVisibly(open);
      remove(suitable.filter((session) => !open.includes(session) || stopped.includes(session)));
      if (others.length > 0) {
        messages.tell(
          others.length === 1
            ? vscode.l10n.t('{0} is still running and was left in the list. Stop it first.', quoted(others))
            : vscode.l10n.t(
                '{0} are still running and were left in the list. Stop them first.',
                quoted(others),
              ),
          [{ title: stopAndRemove.title, run: () => stopAndRemove.run(others) }],
        );
      }
    },
    [CommandId.clearClosed]: () => {
      const all = list.sessions.filter(({ state }) => state === 'closed' || state === 'lost');
      // Sessions under Elsewhere are not cleared, since people may not see them.
      const closed = all.filter((session) => !isApart(session, arrangement.current, folders));
      if (closed.length === 0) {
        messages.tell(
          all.length === 0
            ? vscode.l10n.t('No session is closed; there is nothing to clear.')
            : vscode.l10n.t(
                'No session of this window is closed. Sessions under Elsewhere stay; to remove one, select it and choose Remove.',
              ),
        );
      } else {
        remove(closed);
      }
      return Promise.resolve();
    },
    [CommandId.undoRemove]: () => {
      undo(last);
      return Promise.resolve();
    },
  } satisfies Partial<CommandHandlers>;
}

/** @param terminals The number of terminals that were closed. */
function removedText(
  { receipts }: Pick<CommandContext, 'receipts'>,
  sessions: readonly Session[],
  terminals: number,
): string {
  const stays = receipts() && sessions.every(({ environment }) => environment.id === LOCAL_ID);
  const removed = stays
    ? vscode.l10n.t('Moved {0} to Ended Earlier.', quoted(sessions))
    : vscode.l10n.t('Removed {0} from the list.', quoted(sessions));
  if (terminals === 0) {
    return removed;
  }
  const closed =
    terminals === 1
      ? vscode.l10n.t('One terminal was closed.')
      : vscode.l10n.t('{0} terminals were closed.', terminals);
  return `${removed} ${closed}`;
}

/** Whether the process has ended while a process that it started holds its output open. */
function isOpen(session: Session): boolean {
  return session.state === 'exited';
}

/**
 * Asks before removing sessions with running processes, because those would continue unseen. All other removals can be
 * undone.
 */
async function askToRemove(
  { dialogs }: Pick<CommandContext, 'dialogs'>,
  sessions: readonly Session[],
): Promise<'no' | 'asTheyAre' | 'stopFirst'> {
  const open = sessions.filter(isOpen);
  if (open.length === 0) {
    return 'asTheyAre';
  }
  const question = vscode.l10n.t('Remove {0} from the list?', quoted(sessions));
  const remove = vscode.l10n.t('Remove');
  const stop = vscode.l10n.t('Stop and Remove');
  const detail = vscode.l10n.t(
    'Processes that these sessions started still run. The list will no longer show them:',
  );
  const answer = await dialogs.choose(question, `${detail}\n\n${names(open)}`, stop, remove);
  return answer === stop ? 'stopFirst' : answer === remove ? 'asTheyAre' : 'no';
}
