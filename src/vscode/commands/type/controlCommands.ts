import * as vscode from 'vscode';

import type { Controller, Session } from '../../../sessions/list/index.js';
import { nameInMessage } from '../../../sessions/words/index.js';
import { CommandId, type CommandHandlers } from '../commandIds.js';
import type { CommandContext } from '../context.js';
import { wanted } from '../wanted.js';

type ControlCommands = Pick<CommandHandlers, typeof CommandId.takeControl | typeof CommandId.giveBackControl>;

/** Commands that decide who may type into an agent's session. */
export function controlCommands({
  targets,
  terminals,
  messages,
}: Pick<CommandContext, 'messages' | 'targets' | 'terminals'>): ControlCommands {
  return {
    [CommandId.takeControl]: async (target, all) => {
      const sessions = await targets.many(target, all, wanted.takeControl());
      const [first] = give(sessions, 'person');
      if (first === undefined) {
        return;
      }
      messages.did(
        sessions.length === 1
          ? vscode.l10n.t('You control "{0}" now. Its agent is told.', nameInMessage(first.label))
          : vscode.l10n.t('You control {0} sessions now. Their agents are told.', sessions.length),
      );
      // A person who takes control of one session wants to type into it.
      if (sessions.length === 1) {
        terminals.open(first);
      }
    },
    [CommandId.giveBackControl]: async (target, all) => {
      const sessions = await targets.many(target, all, wanted.giveBackControl());
      const [first] = give(sessions, 'agent');
      if (first !== undefined) {
        messages.did(
          sessions.length === 1
            ? vscode.l10n.t('Gave "{0}" back to its agent.', nameInMessage(first.label))
            : vscode.l10n.t('Gave {0} sessions back to their agents.', sessions.length),
        );
      }
    },
  };
}

/** @returns the sessions whose controller has changed. */
function give(sessions: readonly Session[], controller: Controller): readonly Session[] {
  return sessions.filter((session) => session.control?.giveTo(controller) === true);
}
