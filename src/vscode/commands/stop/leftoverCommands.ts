import * as vscode from 'vscode';

import { type Forgotten, oneLine, type Sighting, type Spared } from '../../../core/index.js';
import { byteText, nameInMessage, processCount, survivorNames } from '../../../sessions/words/index.js';
import { withPatience } from '../../patience.js';
import { longTime } from '../../tree/earlierRows.js';
import { CommandId, type CommandHandlers } from '../commandIds.js';
import type { CommandContext } from '../context.js';

/** The commands that list what ended sessions, or agents too, have left running, and end what is chosen. */
export function leftoverCommands(context: CommandContext) {
  return {
    [CommandId.showLeftovers]: () => cleanUp(context, []),
    [CommandId.cleanUp]: async () => cleanUp(context, await context.lookAround()),
  } satisfies Partial<CommandHandlers>;
}

async function cleanUp(context: CommandContext, sightings: readonly Sighting[]): Promise<void> {
  const { clock, dialogs, earlier, messages, settings } = context;
  const { l10n } = vscode;
  const found = await earlier.forgotten(sightings, (reason) =>
    messages.warn(
      l10n.t('The receipts cannot be read, so some leftover processes may be missing: {0}', oneLine(reason)),
    ),
  );
  if (found.length === 0) {
    messages.tell(l10n.t('There are no leftover processes of ended sessions.'));
    return;
  }
  const chosen = await dialogs.pickMany(Promise.resolve(found.map(itemOf)), {
    title: l10n.t('Clean Up'),
    placeHolder: l10n.t('Choose what to stop, with everything below it'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  const processes = chosen?.map(({ process }) => process) ?? [];
  const names = survivorNames(processes, l10n);
  const question = l10n.t('Stop {0}, and everything below?', processCount(processes.length, l10n));
  if (processes.length === 0 || !(await dialogs.confirm(question, names, l10n.t('Stop')))) {
    return;
  }
  const cancel = new AbortController();
  const graceMs = { terminate: settings.get('terminateMs'), kill: settings.get('killMs') };
  const work = Promise.all(
    processes.map(async (root) => {
      const { exited, survivors } = await earlier.endTree(root, { graceMs, signal: cancel.signal });
      return exited || survivors.length > 0 ? survivors : [root];
    }),
  );
  const left = (await withPatience(work, { title: l10n.t('Stopping "{0}"…', names), cancel, clock })).flat();
  if (left.length === 0) {
    messages.did(l10n.t('Stopped {0}.', processCount(processes.length, l10n)));
  } else {
    messages.warn(l10n.t('Not all has ended: {0}.', survivorNames(left, l10n)));
  }
}

function itemOf(process: Forgotten): vscode.QuickPickItem & { readonly process: Forgotten } {
  const { l10n } = vscode;
  const { command, pid, startedAt, agents, session, cwd, ports = [], memoryBytes, spared } = process;
  const owner = session === undefined ? agents.join(' / ') : l10n.t('of "{0}"', nameInMessage(session));
  const since = startedAt === undefined ? String(pid) : l10n.t('{0}, since {1}', pid, longTime(startedAt));
  const usage = memoryBytes === undefined ? [] : [byteText(memoryBytes, l10n)];
  const reason = spared === undefined ? [] : [reasonOf(spared)];
  return {
    label: nameInMessage(command),
    description: [oneLine(owner), since, ...ports.map((port) => `:${port}`)].filter(Boolean).join(' · '),
    detail: [...(cwd === undefined ? [] : [oneLine(cwd)]), ...usage, ...reason].join(' · '),
    picked: spared === undefined,
    process,
  };
}

function reasonOf(spared: Spared): string {
  switch (spared) {
    case 'claimed':
      return vscode.l10n.t('a variable alone names its agent');
    case 'shared':
      return vscode.l10n.t('Other programs use it too.');
    case 'detached':
      return vscode.l10n.t('it has detached itself');
  }
}
