import * as vscode from 'vscode';

import type { WriteStatus } from '../../core/index.js';
import type { Controller, Session } from '../../sessions/list/index.js';
import { nameInMessage, originText } from '../../sessions/words/index.js';
import { UserError } from '../userError.js';
import { type CommandHandlers, CommandId } from './commandIds.js';
import type { CommandContext } from './context.js';
import { wanted } from './wanted.js';

/** Commands that type into a session, and decide who may type into an agent's session. */
export function inputCommands({ targets, terminals, dialogs, messages }: CommandContext) {
  /** The sessions that a person may type into. For the others, a message offers to take control. */
  const typable = (sessions: readonly Session[]): readonly Session[] => {
    const agents = sessions.filter((session) => session.controlledByAgent);
    const [first] = agents;
    if (first !== undefined) {
      messages.tell(refusal(first, agents.length), [
        {
          title: vscode.l10n.t('Take Control'),
          run: () => agents.map((session) => session.control?.giveTo('person')),
        },
      ]);
    }
    return sessions.filter((session) => !agents.includes(session));
  };
  return {
    [CommandId.sendText]: async (target, all, text) => {
      const sessions = typable(await targets.many(target, all, wanted.text()));
      const [first] = sessions;
      if (first === undefined) {
        return;
      }
      const typed =
        text ??
        (await dialogs.input({
          title: vscode.l10n.t('Send Text'),
          prompt: vscode.l10n.t('Enter is sent after it.'),
          placeHolder: vscode.l10n.t('Text for "{0}"', nameInMessage(first.label)),
        }));
      if (typed === undefined) {
        return;
      }
      for (const session of sessions) {
        await send(session, typed);
      }
      messages.did(
        sessions.length === 1
          ? vscode.l10n.t('Sent the text to "{0}".', nameInMessage(first.label))
          : vscode.l10n.t('Sent the text to {0} sessions.', sessions.length),
      );
    },
    [CommandId.closeStandardInput]: async (target, all) => {
      await messages.firstOf(
        typable(await targets.many(target, all, wanted.closeInput())),
        async (session) => {
          await session.closeInput();
          messages.did(vscode.l10n.t('Closed the standard input of "{0}".', nameInMessage(session.label)));
        },
      );
    },
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
  } satisfies Partial<CommandHandlers>;
}

function refusal(session: Session, count: number): string {
  const agent = originText(session.request.origin, vscode.l10n);
  return count === 1
    ? vscode.l10n.t(
        'Nothing was sent to "{0}": {1} controls it. Take control to type there; the agent is told.',
        nameInMessage(session.label),
        agent,
      )
    : vscode.l10n.t(
        'Nothing was sent to {0} sessions, because their agents control them. Take control to type there; the agents are told.',
        count,
      );
}

/** @throws UserError if the session takes no input. */
async function send(session: Session, text: string): Promise<void> {
  const { tty } = session.request;
  const input = `${text}${tty ? '\r' : '\n'}`;
  if (tty) {
    // As with keys: the agent must not take the echo of this for output.
    session.control?.personTypes(input);
  }
  const status = await session.process.write(new TextEncoder().encode(input));
  const objection = objectionTo(status, nameInMessage(session.label));
  if (objection !== undefined) {
    throw new UserError(objection);
  }
}

function objectionTo(status: WriteStatus, name: string): string | undefined {
  switch (status) {
    case 'accepted':
      return undefined;
    case 'starting':
      return vscode.l10n.t('"{0}" is still starting. Try again in a moment.', name);
    case 'stdinClosed':
      return vscode.l10n.t('"{0}" takes no input: its standard input is closed.', name);
    case 'unknownProcess':
      return vscode.l10n.t('"{0}" is not there any more.', name);
  }
}

/** @returns the sessions whose controller has changed. */
function give(sessions: readonly Session[], controller: Controller): readonly Session[] {
  return sessions.filter((session) => session.control?.giveTo(controller) === true);
}
