import * as vscode from 'vscode';

import { nameInMessage, receiptLabel } from '../../sessions/words/index.js';
import type { MessageAction } from '../messages.js';
import { readOutput, type SessionOutput } from '../output/sessionOutput.js';
import { isReceiptNode, type ReceiptNode } from '../tree/nodes.js';
import type { CommandContext } from './context.js';
import type { SessionTarget } from './commandIds.js';
import { wanted } from './wanted.js';

/** Something whose output a command can copy or save: a session, or one of before whose output is on disk. */
export interface OutputSource {
  readonly label: string;
  read(): Promise<SessionOutput>;
  /** Tells of what is missing of an output that somebody has asked for, with what can help. */
  tellMissing(output: SessionOutput): void;
  /** What can help whoever misses some of it. */
  actions(): readonly MessageAction[];
}

/**
 * The source that a command is to work on, if there is output; otherwise the user is told that there is none. Without a
 * target, the user is asked for a session.
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
    // The first line of the text says it, and nothing can help any more.
    tellMissing: () => undefined,
    actions: () => [],
  };
}
