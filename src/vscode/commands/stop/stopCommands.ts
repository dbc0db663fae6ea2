import * as vscode from 'vscode';

import type { Survivor } from '../../../core/index.js';
import type { Session } from '../../../sessions/list/index.js';
import { nameInMessage } from '../../../sessions/words/index.js';
import { isSessionNode } from '../../tree/nodes.js';
import { type CommandHandlers, CommandId } from '../commandIds.js';
import type { CommandContext } from '../context.js';
import { quoted } from '../sessionNames.js';
import { stopSighting } from '../sightings.js';
import { stopAll } from './stopAll.js';
import { stopPort } from './stopPort.js';
import { wanted } from '../wanted.js';

/**
 * The time after a row's move in which its Stop does not count, in milliseconds. The row may just have come under the
 * mouse.
 */
const STILL_MS = 500;

/** Commands that end sessions, and decide how long agents' sessions go on without a window. */
export function stopCommands(context: CommandContext) {
  const { targets, stopper, messages, tree } = context;
  return {
    [CommandId.stop]: async (target, all) => {
      if (isSessionNode(target) && tree.stillFor(target.session) < STILL_MS) {
        messages.did(vscode.l10n.t('The rows have just moved, so nothing was stopped. Press Stop again.'));
        return;
      }
      const sessions = await targets.many(target, all, wanted.stop());
      if (sessions.length > 0) {
        await stopper.stopVisibly(sessions);
      }
    },
    [CommandId.kill]: async (target, all) => {
      const sessions = await targets.many(target, all, wanted.kill());
      if (sessions.length > 0 && (await mayKill(context, sessions))) {
        await stopper.killVisibly(sessions);
      }
    },
    [CommandId.stopPort]: (port) => stopPort(context, port),
    [CommandId.stopSighting]: (row) => stopSighting(context, row),
    [CommandId.stopAll]: () => stopAll(context),
    [CommandId.endLeftover]: async (target) => {
      const session = await targets.one(target, wanted.leftover());
      const survivor = session === undefined ? undefined : await pickLeftover(context, session);
      if (session !== undefined && survivor !== undefined) {
        await stopper.endLeftover(session, survivor);
      }
    },
    [CommandId.sendSignal]: async (target, all, signal) => {
      const sessions = await targets.many(target, all, wanted.signal());
      const [first] = sessions;
      if (first === undefined) {
        return;
      }
      const name = signal ?? (await askSignal(context, sessions));
      if (name === undefined) {
        return;
      }
      await Promise.all(sessions.map((session) => session.signalAsPerson(name)));
      messages.did(vscode.l10n.t('Sent {0} to {1}.', name, quoted(sessions)));
    },
    [CommandId.keepRunning]: async (target, all) => {
      const sessions = await targets.many(target, all, wanted.keepRunning());
      if (sessions.length > 0) {
        sessions.forEach(({ record }) => (record.keep = true));
        messages.did(
          vscode.l10n.t(
            'Without a window, {0} will keep running for as long as your own sessions.',
            quoted(sessions),
          ),
        );
      }
    },
    [CommandId.doNotKeepRunning]: async (target, all) => {
      const sessions = await targets.many(target, all, wanted.doNotKeepRunning());
      if (sessions.length > 0) {
        sessions.forEach(({ record }) => (record.keep = false));
        messages.did(vscode.l10n.t('Without a window, {0} will end after ten minutes.', quoted(sessions)));
      }
    },
  } satisfies Partial<CommandHandlers>;
}

/** Asks for one of a session's leftover processes. Even a single one is only ended when it is picked. */
async function pickLeftover(
  { dialogs, messages }: Pick<CommandContext, 'dialogs' | 'messages'>,
  session: Session,
): Promise<Survivor | undefined> {
  const name = nameInMessage(session.label);
  if (!session.environment.backend.capabilities.survivors) {
    messages.tell(
      vscode.l10n.t('Leftover processes of "{0}" cannot be found: its machine does not list them.', name),
    );
    return undefined;
  }
  const survivors = await session.lookForSurvivors();
  if (survivors.length === 0) {
    messages.tell(vscode.l10n.t('No leftover process of "{0}" was found.', name));
    return undefined;
  }
  const items = survivors.map((survivor) => ({
    label: nameInMessage(survivor.command),
    description: vscode.l10n.t('pid {0}', survivor.pid),
    detail:
      survivor.why === 'otherSession'
        ? vscode.l10n.t('It has detached itself (setsid), so Stop does not reach it')
        : vscode.l10n.t('Stop ends it as well'),
    survivor,
  }));
  const picked = await dialogs.pick(items, {
    title: vscode.l10n.t('End Leftover Process'),
    placeHolder: vscode.l10n.t('Choose a leftover process of "{0}" to end', name),
    matchOnDescription: true,
  });
  return picked?.survivor;
}

/**
 * Asks before a kill, if the settings want that. There is no question if all processes have exited already, since only
 * leftover processes die then.
 */
async function mayKill(
  { dialogs, settings }: Pick<CommandContext, 'dialogs' | 'settings'>,
  sessions: readonly Session[],
): Promise<boolean> {
  const running = sessions.filter((session) => !session.ended);
  if (running.length === 0 || !settings.get('confirmKill')) {
    return true;
  }
  return dialogs.confirm(
    vscode.l10n.t('Kill {0}?', quoted(running)),
    vscode.l10n.t(
      'It ends at once and cannot save anything; Stop asks it to end first. The setting execSessions.confirmKill turns this question off.',
    ),
    vscode.l10n.t('Kill'),
  );
}

/** The signals that people send most, and what they usually do. */
function usualSignals(): ReadonlyMap<string, string> {
  return new Map([
    ['SIGINT', vscode.l10n.t('interrupt, as Ctrl-C does')],
    ['SIGTERM', vscode.l10n.t('ask it to end')],
    ['SIGHUP', vscode.l10n.t('hang up; many servers reload their settings')],
    ['SIGQUIT', vscode.l10n.t('quit and dump core, as Ctrl-\\ does')],
    ['SIGUSR1', vscode.l10n.t('the program decides what it means')],
    ['SIGUSR2', vscode.l10n.t('the program decides what it means')],
    ['SIGSTOP', vscode.l10n.t('pause until SIGCONT')],
    ['SIGCONT', vscode.l10n.t('continue after SIGSTOP')],
    ['SIGKILL', vscode.l10n.t('end at once')],
  ]);
}

/** The signals that are offered. Servers may name any signal. */
const SIGNAL = /^SIG[A-Z0-9+-]{1,16}$/;

/** Asks for one of the signals that the backends of all sessions take. */
async function askSignal(
  { dialogs, messages }: Pick<CommandContext, 'dialogs' | 'messages'>,
  sessions: readonly Session[],
): Promise<string | undefined> {
  const [first, ...others] = sessions.map(({ environment }) => environment.backend.capabilities.signals);
  const signals = (first ?? []).filter(
    (name) => SIGNAL.test(name) && others.every((names) => names.includes(name)),
  );
  if (signals.length === 0) {
    messages.tell(
      vscode.l10n.t('No signal can be sent to {0}: its server does not support signals.', quoted(sessions)),
    );
    return undefined;
  }
  const usual = usualSignals();
  const known = [...usual.keys()].filter((name) => signals.includes(name));
  const rest = signals.filter((name) => !usual.has(name));
  const items = [...known, ...rest].map((name) => ({ label: name, description: usual.get(name) ?? '' }));
  const picked = await dialogs.pick(items, {
    title: vscode.l10n.t('Send Signal'),
    placeHolder: vscode.l10n.t('Signal for {0} and all that it started', quoted(sessions)),
    matchOnDescription: true,
  });
  return picked?.label;
}
