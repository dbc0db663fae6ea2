import * as vscode from 'vscode';

import { Handshakes } from '../../../core/index.js';
import { memberId } from '../../../sessions/environments/index.js';
import { type EnvironmentSnapshot, isOpen, type Session } from '../../../sessions/list/index.js';
import { batchKey, currentOf, hasFailedIn } from '../../../sessions/tree/index.js';
import { isEngineNode, isEnvironmentNode, isGroupNode } from '../../tree/nodes.js';
import { type CommandHandlers, CommandId } from '../commandIds.js';
import type { CommandContext } from '../context.js';
import { environmentItem } from '../places/environmentTargets.js';
import { askAndStart } from './askAndStart.js';

/** Commands that run one command in several environments, and those on engines. */
export function batchCommands(context: CommandContext) {
  const { batches, environments, list, members, messages, starter, stopper } = context;
  const handshakes = new Handshakes();
  /** The id of a batch, from its row or else the newest one, and its sessions that count. */
  const batchOf = (target: unknown) => {
    const sessions = currentOf(list.sessions.map((session) => session.snapshot()));
    const newest = batches.rests.at(-1)?.id ?? sessions.at(-1)?.batch ?? '';
    const id = isGroupNode(target) ? target.key.slice(batchKey('').length) : newest;
    const found = sessions.filter(({ batch }) => batch === id);
    const those = (suits: (one: (typeof found)[number]) => boolean): readonly Session[] =>
      found.filter(suits).flatMap((one) => list.get(one.id) ?? []);
    return { id, those };
  };
  return {
    [CommandId.newSessionOnSeveral]: async (target, all) => {
      starter.checkTrust();
      const rows: readonly unknown[] = [target, ...(Array.isArray(all) ? (all as readonly unknown[]) : [])];
      const ids = [...new Set(rows.filter(isEnvironmentNode).map(({ id }) => id))];
      const chosen = ids.length > 0 ? ids.flatMap((id) => environments.get(id) ?? []) : await choose(context);
      if (chosen.length === 0) {
        return;
      }
      const batch = crypto.randomUUID();
      await askAndStart(context, undefined, {
        mode: 'pipes',
        several: {
          label: vscode.l10n.t('{0} environments', chosen.length),
          start: (start, title) => {
            const starts = chosen.map(({ id: environment, label }) => ({
              ...{ id: environment, label },
              begin: async (signal: AbortSignal) => {
                await handshakes.connect(() => environments.connect(environment, signal));
                return starter.start({ ...start, environment, batch }, { kind: 'user' }, signal);
              },
            }));
            void batches.run(batch, title, starts);
          },
        },
      });
    },
    [CommandId.retryFailed]: async (target) => {
      starter.checkTrust();
      const { id, those } = batchOf(target);
      const failed = those(hasFailedIn);
      await batches.run(id, failed[0]?.label ?? '', [
        ...batches.takeFailed(id),
        ...failed.map((session) => ({
          ...{ id: session.environment.id, label: session.environment.label },
          begin: () =>
            starter.runAgain(session).catch((error: unknown) => {
              messages.failed(error);
              throw error;
            }),
        })),
      ]);
    },
    [CommandId.stopBatch]: async (target) => {
      const { id, those } = batchOf(target);
      batches.cancel(id);
      await stopper.stopVisibly(those(({ state }) => state === 'starting' || state === 'running'));
    },
    [CommandId.refreshMembers]: async (target) => {
      const wanted = environments.engines.filter(({ id }) => !isEngineNode(target) || target.id === id);
      await Promise.all(wanted.map((engine) => members.read(engine)));
    },
  } satisfies Partial<CommandHandlers>;
}

/** Asks for several of the environments and of the members that run now. */
async function choose({
  dialogs,
  environments,
  members,
}: Pick<CommandContext, 'dialogs' | 'environments' | 'members'>): Promise<readonly EnvironmentSnapshot[]> {
  const listed = environments.engines.map(async (engine) => {
    const listing = await members.read(engine);
    const those = listing.kind === 'read' ? listing.members : [];
    return those.filter(({ state }) => state === 'running').map(({ name }) => memberId(engine.id, name));
  });
  const items = Promise.all(listed).then((ids) => {
    const all = environments.all.filter(({ state, removed }) => !removed || isOpen(state));
    const both = new Set([...all.map(({ id }) => id), ...ids.flat()]);
    return [...both].flatMap((id) => environments.get(id) ?? []).map(environmentItem);
  });
  const picked = await dialogs.pickMany(items, {
    title: vscode.l10n.t('New Session on Several'),
    placeHolder: vscode.l10n.t('Choose environments'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return (picked ?? []).flatMap(({ id }) => environments.get(id) ?? []);
}
