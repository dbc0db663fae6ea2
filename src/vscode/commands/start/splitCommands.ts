import * as vscode from 'vscode';

import { LOCAL_ID } from '../../../sessions/list/index.js';
import { shellStart, shellStartThere } from '../../shellStart.js';
import { CommandId, type CommandHandlers } from '../commandIds.js';
import type { CommandContext } from '../context.js';
import { wanted } from '../wanted.js';

type SplitCommands = Pick<CommandHandlers, typeof CommandId.splitTerminal>;

/** Splits a session's terminal: a shell beside it, in the same environment and directory, as a session of its own. */
export function splitCommands({
  targets,
  starter,
  connector,
  terminals,
  settings,
  storage,
}: Pick<
  CommandContext,
  'connector' | 'settings' | 'starter' | 'storage' | 'targets' | 'terminals'
>): SplitCommands {
  return {
    [CommandId.splitTerminal]: async (target) => {
      const from = target ?? vscode.window.activeTerminal;
      const session = await targets.one(
        terminals.sessionOf(from as vscode.Terminal | undefined)?.id ?? target,
        wanted.open(vscode.l10n.t('Split Terminal')),
      );
      if (session === undefined) {
        return undefined;
      }
      starter.checkTrust();
      const { cwd } = session.request;
      const there =
        session.environment.id === LOCAL_ID
          ? shellStart({ settings, storage })
          : await connector.connectVisibly(session.environment.id).then((one) => one && shellStartThere(one));
      if (there === undefined) {
        return undefined;
      }
      const next = await starter.start({ ...there, cwd }, { kind: 'user' });
      terminals.open(next, { fresh: true, beside: terminals.open(session) });
      return next.id;
    },
  };
}
