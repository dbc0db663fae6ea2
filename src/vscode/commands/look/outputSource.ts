import * as vscode from 'vscode';

import { nameInMessage, receiptLabel } from '../../../sessions/words/index.js';
import type { MessageAction } from '../../messages.js';
import { readOutput, type SessionOutput } from '../../output/sessionOutput.js';
import { isReceiptNode, type ReceiptNode } from '../../tree/nodes.js';
import type { CommandContext } from '../context.js';
import type { SessionTarget } from '../commandIds.js';
import { wanted } from '../wanted.js';

/** A source of output that a command can copy or save: a session, or an earlier session whose output is on disk. */
export interface OutputSource {
  readonly label: string;
  read(): Promise<SessionOutput>;
  /** Says how much of the requested output is missing, with the buttons that can help. */
  tellMissing(output: SessionOutput): void;
  /** The buttons that can help against missing output. */
  actions(): readonly MessageAction[];
}

/**
 * The source that a command is to work on. If it has no output, the user is told so. Without a target, the user is
 * asked for a session.
 */
export async function outputSource(
  context: Pick<CommandContext, 'earlier' | 'keepOffer' | 'messages' | 'targets'>,
  target: SessionTarget | ReceiptNode | undefined,
  question: string,
): Promise<OutputSource | undefined> {
  return isReceiptNode(target) ? pastSource(context, target) : sessionSource(context, target, question);
}

async function sessionSource(
  { targets, messages, keepOffer }: Pick<CommandContext, 'keepOffer' | 'messages' | 'targets'>,
  target: SessionTarget | undefined,
  question: string,
): Promise<OutputSource | undefined> {
  const session = await targets.one(target, wanted.output(question));
  if (session === undefined) {
    return undefined;
  }
  if (session.process.info().output.bytes === 0) {
    messages.tell(vscode.l10n.t('"{0}" has not written anything yet.', nameInMessage(session.label)));
    return undefined;
  }
  return {
    label: session.label,
    read: () => readOutput(session),
    tellMissing: (output) => keepOffer.whenMissing(session, output),
    actions: () => keepOffer.actionsFor(session),
  };
}

async function pastSource(
  { earlier, messages }: Pick<CommandContext, 'earlier' | 'messages'>,
  { receipt }: ReceiptNode,
): Promise<OutputSource | undefined> {
  const label = receiptLabel(receipt);
  const output = await earlier.output(receipt.id);
  if (output.chunks.length === 0) {
    messages.tell(
      vscode.l10n.t(
        'The output of "{0}" is not on disk any more. It was removed by hand, or as the oldest when the limit was reached.',
        nameInMessage(label),
      ),
    );
    return undefined;
  }
  return {
    label,
    read: () => Promise.resolve(output),
    // The first line of the text says so, and nothing can help any more.
    tellMissing: () => undefined,
    actions: () => [],
  };
}
