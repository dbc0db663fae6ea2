import * as vscode from 'vscode';

import { LOCAL_ID } from '../../../sessions/list/index.js';
import { hasUsage } from '../../../sessions/tree/index.js';
import { sessionLabel, usageRows, withoutIcons } from '../../../sessions/words/index.js';
import { isUsageNode } from '../../tree/nodes.js';
import { UserError } from '../../userError.js';
import { CommandId, type CommandHandlers } from '../commandIds.js';
import type { CommandContext } from '../context.js';

/** Commands on the port of a session. In a remote window VS Code makes the port reachable where its user sits. */
export function portCommands(context: CommandContext) {
  const { messages, tree } = context;
  const addressOf = async (target: unknown, title: string): Promise<vscode.Uri | undefined> => {
    const address = isUsageNode(target) ? tree.addressOf(target) : await askForAddress(context, title);
    return address === undefined ? undefined : vscode.Uri.parse(address);
  };
  return {
    [CommandId.openPort]: async (target) => {
      const address = await addressOf(target, vscode.l10n.t('Open in Browser'));
      // VS Code makes the port reachable itself: https://code.visualstudio.com/api/advanced-topics/remote-extensions
      return address && vscode.env.openExternal(address);
    },
    [CommandId.copyPortAddress]: async (target) => {
      const there = await addressOf(target, vscode.l10n.t('Copy Address'));
      if (there !== undefined) {
        // VS Code's port forwarding does not reach other machines, so this is the address on that machine.
        const isThere = isUsageNode(target) && target.session.environment.id !== LOCAL_ID;
        const address = (isThere ? there : await vscode.env.asExternalUri(there)).toString();
        await vscode.env.clipboard.writeText(address);
        messages.did(vscode.l10n.t('Copied {0}.', address));
      }
    },
  } satisfies Partial<CommandHandlers>;
}

/**
 * Asks for one of the ports of all sessions of this machine, if there are several.
 *
 * @throws UserError if there are none.
 */
async function askForAddress(
  { list, dialogs }: Pick<CommandContext, 'dialogs' | 'list'>,
  title: string,
): Promise<string | undefined> {
  const sessions = list.sessions.filter(
    (session) => session.environment.id === LOCAL_ID && hasUsage(session),
  );
  const found = await Promise.all(
    sessions.toReversed().map(async (session) => {
      const usage = await session.usage().catch(() => undefined);
      const rows = usage === undefined ? [] : usageRows({ usage }, true, vscode.l10n);
      const description = withoutIcons(sessionLabel(session.snapshot()));
      return rows.flatMap(({ address }) => (address === undefined ? [] : [{ label: address, description }]));
    }),
  );
  const items = found.flat();
  if (items.length === 0) {
    throw new UserError(vscode.l10n.t('No session listens at a port of this machine now.'));
  }
  const picked =
    items.length === 1 ? items[0] : await dialogs.pick(items, { title, matchOnDescription: true });
  return picked?.label;
}
