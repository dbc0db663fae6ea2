import path from 'node:path';

import * as vscode from 'vscode';

import { type EndedReceipt, shorten } from '../../../core/index.js';
import type { Session } from '../../../sessions/list/index.js';
import { byteText, missingSentence } from '../../../sessions/words/index.js';
import { bytesOf, textOf } from '../../output/sessionOutput.js';
import { workingDirectory } from '../../thisMachine.js';
import { isReceiptNode } from '../../tree/nodes.js';
import { type CommandHandlers, CommandId } from '../commandIds.js';
import type { CommandContext } from '../context.js';
import { type OutputSource, outputSource } from './outputSource.js';
import { searchOutput } from './searchOutput.js';
import { wanted } from '../wanted.js';
import { quoted } from '../sessionNames.js';

/** For terminals: the output with its escape sequences. A terminal also shows a first line about missing output. */
const ANSI_ENDING = '.ansi';
/** For programs: nothing but what the program wrote. */
const RAW_ENDING = '.raw';
const RAW_ENDINGS = [ANSI_ENDING, RAW_ENDING];

/** Commands that copy, open or save the text of a session, and decide whether it is kept on disk. */
export function outputCommands(context: CommandContext) {
  const { targets, messages, documents } = context;
  return {
    [CommandId.copyCommandLine]: async (target, all) => {
      const sessions = await targets.many(target, all, wanted.copy());
      if (sessions.length > 0) {
        await vscode.env.clipboard.writeText(sessions.map(({ commandLine }) => commandLine).join('\n'));
        messages.did(
          sessions.length === 1
            ? vscode.l10n.t('Copied the command line.')
            : vscode.l10n.t('Copied {0} command lines.', sessions.length),
        );
      }
    },
    [CommandId.copyOutput]: async (target) => {
      const source = await outputSource(context, target, vscode.l10n.t('Copy Output'));
      if (source !== undefined) {
        const output = await source.read();
        const text = textOf(output);
        await vscode.env.clipboard.writeText(text);
        messages.did(
          vscode.l10n.t('Copied the output: {0}.', byteText(Buffer.byteLength(text), vscode.l10n)),
        );
        source.tellMissing(output);
      }
    },
    [CommandId.openOutput]: async (target, all) => {
      const sources = isReceiptNode(target)
        ? [target, ...(all ?? [])].filter(isReceiptNode).map(({ receipt }) => receipt)
        : await targets.many(target, all, wanted.output(vscode.l10n.t('Open Output as Document')));
      await messages.firstOf([...new Set<Session | EndedReceipt>(sources)], (source) =>
        documents.open(source),
      );
    },
    [CommandId.searchOutput]: () => searchOutput(context),
    [CommandId.saveOutput]: async (target) => {
      const source = await outputSource(context, target, vscode.l10n.t('Save Output'));
      if (source !== undefined) {
        await save(context, source);
      }
    },
    [CommandId.keepOutput]: async (target, all) => {
      const sessions = await targets.many(target, all, wanted.keepOutput());
      if (sessions.length > 0) {
        sessions.forEach(({ record }) => record.keepOutput(true));
        messages.did(vscode.l10n.t('The output of {0} is kept on disk.', quoted(sessions)));
      }
    },
    [CommandId.doNotKeepOutput]: async (target, all) => {
      const sessions = await targets.many(target, all, wanted.doNotKeepOutput());
      if (sessions.length > 0) {
        sessions.forEach(({ record }) => record.keepOutput(false));
        messages.did(vscode.l10n.t('The output of {0} was removed from the disk.', quoted(sessions)));
      }
    },
  } satisfies Partial<CommandHandlers>;
}

async function save(
  { dialogs, messages }: Pick<CommandContext, 'dialogs' | 'messages'>,
  source: OutputSource,
): Promise<void> {
  const name = shorten(source.label.replace(/[^\p{L}\p{N}.-]+/gu, '-'), 40).replaceAll('…', '');
  const uri = await dialogs.saveFile({
    title: vscode.l10n.t('Save Output'),
    defaultUri: vscode.Uri.file(path.join(workingDirectory(undefined), `${name}.log`)),
    filters: {
      [vscode.l10n.t('Text')]: ['log', 'txt'],
      [vscode.l10n.t('As the program wrote it, with colours')]: RAW_ENDINGS.map((ending) => ending.slice(1)),
    },
  });
  if (uri === undefined) {
    return;
  }
  const ending = path.extname(uri.path).toLowerCase();
  const output = await source.read();
  const content = RAW_ENDINGS.includes(ending)
    ? bytesOf(output, { note: ending === ANSI_ENDING })
    : Buffer.from(textOf(output));
  const missing = missingSentence(output.stats, vscode.l10n);
  await vscode.workspace.fs.writeFile(uri, content);
  const size = byteText(content.byteLength, vscode.l10n);
  const saved = vscode.l10n.t('Saved {0} to {1}.', size, path.basename(uri.path));
  if (missing === undefined) {
    messages.did(saved);
  } else {
    messages.warn(`${saved} ${missing}`, source.actions());
  }
}
