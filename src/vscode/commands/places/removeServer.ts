import * as vscode from 'vscode';

import type { EnvironmentSnapshot } from '../../../sessions/list/index.js';
import { nameInMessage } from '../../../sessions/words/index.js';
import { withoutEnvironment, writeEnvironments } from '../../environments/writeEnvironments.js';
import { withPatience } from '../../patience.js';
import { UserError } from '../../userError.js';
import type { CommandContext } from '../context.js';

type Parts = Pick<
  CommandContext,
  'askpass' | 'clock' | 'connector' | 'dialogs' | 'environments' | 'messages' | 'removeServer' | 'settings'
>;

/** Removes everything of ours from a machine, if the person means it, and then offers to forget the machine. */
export async function removeServerFrom(parts: Parts, { id, label }: EnvironmentSnapshot): Promise<void> {
  const { askpass, clock, connector, dialogs, environments, messages, removeServer } = parts;
  const definition = environments.definitionOf(id);
  const name = nameInMessage(label);
  if (definition === undefined || definition.kind === 'websocket' || definition.kind === 'command') {
    throw new UserError(vscode.l10n.t('No server of Exec Sessions was installed in "{0}" from here.', name));
  }
  const remove = async (force: boolean) => {
    const asker = await askpass.askerFor(definition.name);
    const cancel = new AbortController();
    const title = vscode.l10n.t('Removing the server from "{0}"…', name);
    const work = removeServer(definition, force, cancel.signal, asker);
    return withPatience(work, { title, cancel, clock }).finally(() => asker.dispose());
  };
  const action = vscode.l10n.t('Remove Server');
  const question = vscode.l10n.t('Remove the server from "{0}"?', name);
  const detail = vscode.l10n.t(
    'Its files, the list of its sessions, their receipts and their kept output are deleted there.',
  );
  if (!(await dialogs.confirm(question, detail, action))) {
    return;
  }
  // A connection that is lost meanwhile would install the server again.
  const wasOpen = environments.open(id) !== undefined;
  await environments.disconnect(id);
  let removed = await remove(false);
  if (removed.kind === 'running') {
    const { sessions } = removed;
    const running =
      sessions === 1
        ? vscode.l10n.t('One session runs in "{0}". End it too?', name)
        : vscode.l10n.t('{1} sessions run in "{0}". End them too?', name, sessions);
    if (!(await dialogs.confirm(running, detail, action))) {
      await (wasOpen ? connector.connect(id) : undefined);
      return;
    }
    removed = await remove(true);
  }
  const said =
    removed.kind === 'nothing'
      ? vscode.l10n.t('"{0}" has no server of Exec Sessions.', name)
      : vscode.l10n.t('Removed the server from "{0}".', name);
  const entries = parts.settings.get('environments');
  const others = withoutEnvironment(entries, id);
  if (others.length === entries.length) {
    messages.did(said);
    return;
  }
  const forget = vscode.l10n.t('Remove from Settings');
  if ((await dialogs.info(said, forget)) === forget) {
    await writeEnvironments(others);
  }
}
