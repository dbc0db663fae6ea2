import * as vscode from 'vscode';

import { processCount, stopText, survivorName } from '../../sessions/words/index.js';
import { withPatience } from '../patience.js';
import type { SightingNode } from '../tree/nodes.js';
import type { CommandContext } from './context.js';

/** Shows the output of a process that is no session, or the terminal of a command. */
export async function showSighting(context: CommandContext, node: SightingNode): Promise<void> {
  const { pid, startTime, command = '' } = node.row.sighting ?? {};
  if (pid === undefined || startTime === undefined) {
    context.shellCommands.show(node.row.id);
  } else {
    await context.documents.openProcess({ pid, startTime }, command);
  }
}

/**
 * Ends a process and everything below it, after a question that names them.
 *
 * @param node Its row; without one, the selected row counts.
 */
export async function stopSighting(context: CommandContext, node?: SightingNode): Promise<void> {
  const { clock, dialogs, display, earlier, messages, settings } = context;
  const { l10n } = vscode;
  const { row } = node ?? display.selectedSighting ?? {};
  const { pid, startTime, end, command = '', processes = 1, shared } = row?.sighting ?? {};
  if (pid === undefined || startTime === undefined || end !== undefined) {
    messages.tell(l10n.t('Select a process that runs under Other Processes first.'));
    return;
  }
  const name = survivorName({ command, pid }, l10n);
  const below = processCount(processes - 1, l10n);
  const agreed = await dialogs.confirm(
    processes > 1 ? l10n.t('Stop {0} and {1} below it?', name, below) : l10n.t('Stop {0}?', name),
    [
      l10n.t(
        'It is no session of this list: something else has started it. It is asked to end, and killed if it does not.',
      ),
      ...(shared === true ? [l10n.t('Other programs use it too.')] : []),
    ].join(' '),
    l10n.t('Stop'),
  );
  if (agreed) {
    const cancel = new AbortController();
    const graceMs = { terminate: settings.get('terminateMs'), kill: settings.get('killMs') };
    const work = earlier.endTree({ pid, startTime }, { graceMs, signal: cancel.signal });
    const report = await withPatience(work, { title: l10n.t('Stopping "{0}"…', name), cancel, clock });
    const how = { asked: 'stop', cancelled: cancel.signal.aborted, l10n } as const;
    const { kind, text } = stopText(name, report, how);
    messages[kind === 'done' ? 'did' : 'warn'](text);
  }
}
