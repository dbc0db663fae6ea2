import * as vscode from 'vscode';

import { nameInMessage } from '../../../sessions/words/index.js';
import { CommandId, type CommandHandlers } from '../commandIds.js';
import type { CommandContext } from '../context.js';
import { quoted } from '../sessionNames.js';
import { showSighting } from '../sightings.js';
import { isSightingNode } from '../../tree/nodes.js';
import { wanted } from '../wanted.js';

/** Commands that show something, or change how it is shown. */
export function viewCommands(context: CommandContext) {
  const { list, targets, terminals, dialogs, messages, display } = context;
  const openInColumn = async (question: string, column: vscode.ViewColumn, target: unknown, all: unknown) => {
    for (const session of await targets.many(target, all, wanted.open(question))) {
      terminals.open(session, { newTerminal: true, column });
    }
  };
  return {
    // A click on a row does this. It leaves the keyboard in the tree; other commands move it to the terminal.
    [CommandId.showSelected]: async () => {
      const [selected] = display.causedByKey() ? [] : [...display.selection, display.selectedSighting];
      if (isSightingNode(selected)) {
        await showSighting(context, selected);
      } else if (selected !== undefined && selected.state !== 'starting') {
        terminals.open(selected, { preserveFocus: true });
      }
    },
    [CommandId.openInEditor]: (target, all) =>
      openInColumn(vscode.l10n.t('Open in Editor Area'), vscode.ViewColumn.Active, target, all),
    [CommandId.openBeside]: (target, all) =>
      openInColumn(vscode.l10n.t('Open Beside'), vscode.ViewColumn.Beside, target, all),
    [CommandId.openTerminal]: async (target, all, options) => {
      const preserveFocus = options?.preserveFocus === true;
      const question = vscode.l10n.t('Open Terminal');
      for (const session of await targets.many(target, all, wanted.open(question))) {
        terminals.open(session, { preserveFocus });
      }
    },
    // Whatever the setting for a closed terminal says, the session goes on.
    [CommandId.detach]: async (target, all) => {
      const inFront = terminals.sessionOf(vscode.window.activeTerminal)?.id;
      const question = vscode.l10n.t('Detach');
      const sessions = await targets.many(target ?? inFront, all, wanted.open(question));
      if (sessions.length === 0) {
        return;
      }
      const running = sessions.filter(({ ended }) => !ended);
      if (terminals.closeOf(sessions) === 0) {
        messages.tell(vscode.l10n.t('No terminal of this window shows {0}.', quoted(sessions)));
      } else if (running.length > 0) {
        messages.did(
          running.length === 1
            ? vscode.l10n.t('Closed the terminal. {0} keeps running.', quoted(running))
            : vscode.l10n.t('Closed the terminals. {0} keep running.', quoted(running)),
        );
      }
    },
    [CommandId.closeEndedTerminals]: () => {
      const closed = terminals.closeOf(list.sessions.filter(({ ended }) => ended));
      if (closed === 0) {
        messages.tell(vscode.l10n.t('No terminal shows a session that has ended.'));
      } else if (closed === 1) {
        messages.did(vscode.l10n.t('Closed one terminal. Its session stays in the list.'));
      } else {
        messages.did(vscode.l10n.t('Closed {0} terminals. Their sessions stay in the list.', closed));
      }
      return Promise.resolve();
    },
    [CommandId.openAnotherTerminal]: async (target, all) => {
      const question = vscode.l10n.t('Open Another Terminal');
      for (const session of await targets.many(target, all, wanted.open(question))) {
        terminals.open(session, { newTerminal: true });
      }
    },
    [CommandId.rename]: async (target, all, title) => {
      const [session] = await targets.many(target, all, wanted.rename());
      if (session === undefined) {
        return;
      }
      const name =
        title ??
        (await dialogs.input({
          // The title names the session, since the key takes the selected row, which need not be the one with the
          // focus.
          title: vscode.l10n.t('Rename "{0}"', nameInMessage(session.label)),
          prompt: vscode.l10n.t('Leave it empty to show the command line again.'),
          value: session.label,
        }));
      if (name !== undefined) {
        session.rename(name === session.commandLine ? '' : name);
        messages.did(vscode.l10n.t('Renamed to "{0}".', nameInMessage(session.label)));
        await display.reveal(session);
      }
    },
  } satisfies Partial<CommandHandlers>;
}
