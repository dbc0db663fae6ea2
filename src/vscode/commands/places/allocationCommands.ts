import * as vscode from 'vscode';

import { isMemberName, messageOf, nothingToDispose, wordsOf } from '../../../core/index.js';
import { freeId, idsOf } from '../../../sessions/environments/index.js';
import { LOCAL_ID } from '../../../sessions/list/index.js';
import { nameInMessage } from '../../../sessions/words/index.js';
import { usersVariables } from '../../environments/connectRemote.js';
import { withoutEnvironment, writeEnvironments } from '../../environments/writeEnvironments.js';
import { withPatience } from '../../patience.js';
import { UserError } from '../../userError.js';
import { isEngineNode } from '../../tree/nodes.js';
import { type CommandHandlers, CommandId } from '../commandIds.js';
import type { CommandContext } from '../context.js';

/** Commands on allocations of Slurm. The settings have each of them as an engine. */
export function allocationCommands(context: CommandContext) {
  const { clock, dialogs, environments, messages, settings, starter } = context;
  return {
    [CommandId.newAllocation]: async () => {
      starter.checkTrust();
      const typed = await dialogs.input({
        title: vscode.l10n.t('New Slurm Allocation'),
        prompt: vscode.l10n.t('Options of salloc'),
        placeHolder: '-N2 -t 1:00:00',
      });
      if (typed === undefined) {
        return;
      }
      const cancel = new AbortController();
      const job = await request(wordsOf(typed), cancel, clock).catch((error: unknown) => {
        if (cancel.signal.aborted) {
          return undefined;
        }
        throw new UserError(messageOf(error));
      });
      if (job === undefined) {
        messages.did(vscode.l10n.t('The request to Slurm was taken back.'));
        return;
      }
      const entries = settings.get('environments');
      const id = freeId(`slurm ${job}`, [...idsOf(entries), LOCAL_ID]);
      await writeEnvironments([...entries, { id, name: `Slurm ${job}`, kind: 'slurm', members: job }]);
    },
    [CommandId.cancelAllocation]: async (target) => {
      starter.checkTrust();
      const all = environments.engines.filter(({ kind }) => kind === 'slurm');
      const items = all.map(({ id, name }) => ({ id, label: name }));
      const title = vscode.l10n.t('Cancel Allocation');
      const chosen = isEngineNode(target) ? target : await dialogs.pick(items, { title });
      const engine = all.find(({ id }) => id === chosen?.id);
      if (engine === undefined || !isMemberName('slurm', engine.members)) {
        return;
      }
      const question = vscode.l10n.t('Cancel the allocation "{0}"?', nameInMessage(engine.name));
      const detail = vscode.l10n.t('Slurm ends the job {0} with everything that runs in it.', engine.members);
      if (await dialogs.confirm(question, detail, title)) {
        const { cancelAllocation } = await import('../../../engines/index.js');
        await cancelAllocation(engine.members, usersVariables()).catch((error: unknown) => {
          throw new UserError(messageOf(error));
        });
        await writeEnvironments(withoutEnvironment(settings.get('environments'), engine.id));
      }
    },
  } satisfies Partial<CommandHandlers>;
}

/** Asks for an allocation, and shows why the job waits, with Cancel. */
async function request(
  options: readonly string[],
  cancel: AbortController,
  clock: CommandContext['clock'],
): Promise<string> {
  const { allocate } = await import('../../../engines/index.js');
  let tell: ((state: string) => void) | undefined;
  const onState = (reason: string, place: number) =>
    tell?.(vscode.l10n.t('pending: {0}, number {1} in the queue', reason, place));
  const work = allocate({ options, env: usersVariables(), signal: cancel.signal, onState });
  const title = vscode.l10n.t('Waiting for nodes of Slurm…');
  const steps = (next: (state: string) => void) => {
    tell = next;
    return nothingToDispose;
  };
  return withPatience(work, { title, cancel, clock, steps });
}
