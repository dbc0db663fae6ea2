import * as vscode from 'vscode';

import { oneLine } from '../../../core/index.js';
import type { Leftover } from '../../../machine/index.js';
import { nameInMessage, receiptEndText, receiptLabel } from '../../../sessions/words/index.js';
import { longTime } from '../../tree/earlierRows.js';
import { CommandId, type CommandHandlers } from '../commandIds.js';
import type { CommandContext } from '../context.js';

/** The command that shows leftover processes, and ends one of them. */
export function leftoverCommands(context: CommandContext) {
  return { [CommandId.showLeftovers]: () => showLeftovers(context) } satisfies Partial<CommandHandlers>;
}

async function showLeftovers({
  earlier,
  dialogs,
  messages,
}: Pick<CommandContext, 'dialogs' | 'earlier' | 'messages'>): Promise<void> {
  const found = await earlier.leftovers((reason) =>
    messages.warn(
      vscode.l10n.t(
        'The receipts cannot be read, so some leftover processes may be missing: {0}',
        oneLine(reason),
      ),
    ),
  );
  if (found.length === 0) {
    messages.tell(vscode.l10n.t('There are no leftover processes of ended sessions.'));
    return;
  }
  const chosen = await dialogs.pick(found.map(itemOf), {
    placeHolder: vscode.l10n.t('Choose a leftover process to stop'),
    matchOnDetail: true,
  });
  if (chosen === undefined) {
    return;
  }
  const { command, pid } = chosen.leftover;
  const { exited } = await earlier.end(chosen.leftover);
  const name = nameInMessage(command);
  if (exited) {
    messages.did(vscode.l10n.t('Stopped {0} ({1}).', name, pid));
  } else {
    messages.warn(vscode.l10n.t('{0} ({1}) was killed, but still runs.', name, pid));
  }
}

function itemOf(leftover: Leftover): vscode.QuickPickItem & { readonly leftover: Leftover } {
  const { command, pid, startedAt, receipt } = leftover;
  return {
    label: nameInMessage(command),
    description:
      startedAt === undefined ? String(pid) : vscode.l10n.t('{0}, since {1}', pid, longTime(startedAt)),
    detail:
      receipt === undefined
        ? vscode.l10n.t('of a session without a receipt')
        : vscode.l10n.t(
            'of "{0}", started {1}: {2}',
            nameInMessage(receiptLabel(receipt)),
            longTime(receipt.startedAt),
            receiptEndText(receipt, vscode.l10n, longTime),
          ),
    leftover,
  };
}
