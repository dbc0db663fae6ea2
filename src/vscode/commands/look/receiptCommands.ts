import * as vscode from 'vscode';

import type { EndedReceipt } from '../../../core/index.js';
import { nameInMessage, receiptEndText, receiptLabel, receiptText } from '../../../sessions/words/index.js';
import { longTime, shortTime } from '../../tree/earlierRows.js';
import { isReceiptNode, type ReceiptNode } from '../../tree/nodes.js';
import { UserError } from '../../userError.js';
import { CommandId, type CommandHandlers } from '../commandIds.js';
import type { CommandContext } from '../context.js';

/** Commands for earlier sessions. */
export function receiptCommands(context: CommandContext) {
  const { earlier, earlierRows, list, messages } = context;
  const remove = async (receipts: readonly EndedReceipt[]) => {
    if (receipts.length > 0) {
      await earlier.remove(receipts, (id) => list.get(id) !== undefined);
      await earlierRows.lookNow();
      messages.did(
        receipts.length === 1
          ? vscode.l10n.t('Removed a receipt.')
          : vscode.l10n.t('Removed {0} receipts.', receipts.length),
      );
    }
  };
  return {
    [CommandId.runReceipt]: async (target, all) => {
      const receipts = await chosen(context, target, all);
      return messages.firstOf(receipts, (receipt) => runReceipt(context, receipt, receipts.length === 1));
    },
    [CommandId.copyReceipt]: async (target, all) => {
      const receipts = await chosen(context, target, all);
      const texts = receipts.map((receipt) => receiptText(receipt, vscode.l10n, longTime));
      await copy(context, receipts, texts.join('\n\n'));
    },
    [CommandId.copyReceiptAsJson]: async (target, all) => {
      const receipts = await chosen(context, target, all);
      await copy(
        context,
        receipts,
        JSON.stringify(receipts.length === 1 ? receipts[0] : receipts, undefined, 2),
      );
    },
    [CommandId.removeReceipt]: async (target, all) => remove(await chosen(context, target, all)),
    [CommandId.clearEarlier]: async () => {
      const receipts = (await earlier.receipts()).filter(
        ({ sessionId }) => list.get(sessionId) === undefined,
      );
      if (receipts.length === 0) {
        messages.tell(vscode.l10n.t('There are no earlier sessions; there is nothing to clear.'));
      } else if (await mayRemove(context, receipts.length)) {
        await remove(receipts);
      }
    },
  } satisfies Partial<CommandHandlers>;
}

/**
 * Starts the command of an earlier session again. The receipt has no variables, so the command gets those of this
 * window, and the user is told so.
 *
 * @param opens Whether its terminal opens. The rows of several new sessions are enough.
 */
async function runReceipt(
  { starter, terminals, messages }: Pick<CommandContext, 'messages' | 'starter' | 'terminals'>,
  receipt: EndedReceipt,
  opens: boolean,
): Promise<string> {
  const name = nameInMessage(receiptLabel(receipt));
  if (receipt.incomplete === true || receipt.argv.length === 0) {
    throw new UserError(
      vscode.l10n.t(
        'The command in the receipt of "{0}" is incomplete: secrets are masked, and long texts are cut. Start it with New Session.',
        name,
      ),
    );
  }
  const session = await starter.start(
    {
      command: { kind: 'argv', argv: receipt.argv },
      shownAs: receipt.commandLine,
      cwd: receipt.cwd,
      env: {},
      tty: receipt.tty,
      pipeStdin: !receipt.tty,
      sandbox: receipt.sandbox,
      ...(receipt.title !== undefined && { title: receipt.title }),
      show: true,
    },
    { kind: 'user' },
  );
  if (opens) {
    terminals.open(session, { fresh: true });
  }
  messages.did(vscode.l10n.t('Started "{0}" with the variables of this window: its receipt has none.', name));
  return session.id;
}

async function copy(
  { messages }: Pick<CommandContext, 'messages'>,
  receipts: readonly EndedReceipt[],
  text: string,
): Promise<void> {
  if (receipts.length > 0) {
    await vscode.env.clipboard.writeText(text);
    messages.did(
      receipts.length === 1
        ? vscode.l10n.t('Copied the receipt.')
        : vscode.l10n.t('Copied {0} receipts.', receipts.length),
    );
  }
}

function mayRemove({ dialogs }: Pick<CommandContext, 'dialogs'>, sessions: number): Promise<boolean> {
  return dialogs.confirm(
    sessions === 1
      ? vscode.l10n.t('Forget one earlier session?')
      : vscode.l10n.t('Forget {0} earlier sessions?', sessions),
    vscode.l10n.t('Receipts, and output that is kept on disk, are removed. This cannot be undone.'),
    vscode.l10n.t('Clear Ended Earlier'),
  );
}

/** The receipts that a command is to work on; without any, the user is asked for one. */
async function chosen(
  { dialogs, earlier, messages }: Pick<CommandContext, 'dialogs' | 'earlier' | 'messages'>,
  target: ReceiptNode | undefined,
  all: readonly ReceiptNode[] | undefined,
): Promise<readonly EndedReceipt[]> {
  const nodes = [...(all ?? []), ...(target === undefined ? [] : [target])].filter(isReceiptNode);
  if (nodes.length > 0) {
    return [...new Set(nodes.map(({ receipt }) => receipt))];
  }
  const receipts = await earlier.receipts();
  if (receipts.length === 0) {
    messages.tell(vscode.l10n.t('There are no receipts yet: a session gets one when it ends.'));
    return [];
  }
  const items = receipts.map((receipt) => ({
    label: nameInMessage(receiptLabel(receipt)),
    description: receiptEndText(receipt, vscode.l10n, shortTime),
    detail: longTime(receipt.end.at),
    receipt,
  }));
  const item = await dialogs.pick(items, {
    placeHolder: vscode.l10n.t('An earlier session'),
    matchOnDescription: true,
  });
  return item === undefined ? [] : [item.receipt];
}
