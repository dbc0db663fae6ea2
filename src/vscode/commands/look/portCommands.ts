import * as vscode from 'vscode';

import { LOCAL_ID } from '../../../sessions/list/index.js';
import { hasUsage } from '../../../sessions/tree/index.js';
import { nameInMessage, usageRows } from '../../../sessions/words/index.js';
import { isUsageNode } from '../../tree/nodes.js';
import { UserError } from '../../userError.js';
import { CommandId, type CommandHandlers } from '../commandIds.js';
import type { CommandContext } from '../context.js';
import { wanted } from '../wanted.js';

type PortCommands = Pick<CommandHandlers, typeof CommandId.openPort | typeof CommandId.copyPortAddress>;

/** Commands on the port of a session. In a remote window VS Code makes the port reachable where its user sits. */
export function portCommands(
  context: Pick<CommandContext, 'dialogs' | 'messages' | 'targets' | 'tree'>,
): PortCommands {
  const { messages, tree } = context;
  const addressOf = async (target: unknown): Promise<vscode.Uri | undefined> => {
    const address = isUsageNode(target) ? tree.addressOf(target) : await askForAddress(context);
    return address === undefined ? undefined : vscode.Uri.parse(address);
  };
  return {
    [CommandId.openPort]: async (target) => {
      const address = await addressOf(target);
      // VS Code makes the port reachable itself: https://code.visualstudio.com/api/advanced-topics/remote-extensions
      return address && vscode.env.openExternal(address);
    },
    [CommandId.copyPortAddress]: async (target) => {
      const there = await addressOf(target);
      if (there !== undefined) {
        // VS Code's port forwarding does not reach other machines, so this is the address on that machine.
        const isThere = isUsageNode(target) && target.session.environment.id !== LOCAL_ID;
        const address = (isThere ? there : await vscode.env.asExternalUri(there)).toString();
        await vscode.env.clipboard.writeText(address);
        messages.did(vscode.l10n.t('Copied {0}.', address));
      }
    },
  };
}

/** @throws UserError if the session listens nowhere. */
async function askForAddress({
  targets,
  dialogs,
}: Pick<CommandContext, 'dialogs' | 'targets'>): Promise<string | undefined> {
  const session = await targets.one(undefined, wanted.port());
  if (session === undefined) {
    return undefined;
  }
  const usage = hasUsage(session) ? await session.usage() : undefined;
  const isHere = session.environment.id === LOCAL_ID;
  const rows = usage === undefined ? [] : usageRows({ usage }, isHere, vscode.l10n);
  const items = rows.flatMap(({ address }) => (address === undefined ? [] : [{ label: address }]));
  const [only, ...more] = items;
  if (only === undefined) {
    throw new UserError(
      vscode.l10n.t('"{0}" listens at no port of this machine now.', nameInMessage(session.label)),
    );
  }
  const picked =
    more.length === 0
      ? only
      : await dialogs.pick(items, { title: vscode.l10n.t('Ports of "{0}"', nameInMessage(session.label)) });
  return picked?.label;
}
