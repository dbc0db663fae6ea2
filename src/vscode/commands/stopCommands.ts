import * as vscode from 'vscode';

import type { Session } from '../../sessions/index.js';
import { nameInMessage, shorten } from '../../sessions/text.js';
import { CommandId, type CommandHandlers } from './commandIds.js';
import type { CommandContext } from './context.js';
import { wanted } from './wanted.js';

type StopCommands = Pick<
  CommandHandlers,
  | typeof CommandId.stop
  | typeof CommandId.kill
  | typeof CommandId.stopAll
  | typeof CommandId.sendSignal
  | typeof CommandId.remove
  | typeof CommandId.clearClosed
>;

/** Commands that end something or take it off the list. */
export function stopCommands(context: CommandContext): StopCommands {
  const { list, targets, stopper, dialogs, messages } = context;
  return {
    [CommandId.stop]: async (target, all) => {
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
    [CommandId.stopAll]: async () => {
      const running = list.sessions.filter((session) => !session.ended);
      if (running.length === 0) {
        messages.tell(vscode.l10n.t('No session is running; there is nothing to stop.'));
        return;
      }
      const question =
        running.length === 1
          ? vscode.l10n.t('Stop the session that is running?')
          : vscode.l10n.t('Stop all {0} running sessions?', running.length);
      if (await dialogs.confirm(question, names(running), vscode.l10n.t('Stop All'))) {
        await stopper.stopVisibly(running);
      }
    },
    [CommandId.sendSignal]: async (target, all, signal) => {
      const sessions = await targets.many(target, all, wanted.signal());
      const [first] = sessions;
      if (first === undefined) {
        return;
      }
      const name = signal ?? (await askSignal(context, first));
      if (name === undefined) {
        return;
      }
      await Promise.all(sessions.map((session) => session.process.signal(name)));
      messages.did(vscode.l10n.t('Sent {0} to {1}.', name, quoted(sessions)));
    },
    [CommandId.remove]: async (target, all) => {
      const sessions = await targets.many(target, all, wanted.remove());
      if (sessions.length > 0) {
        list.remove(sessions);
        messages.did(vscode.l10n.t('Removed {0} from the list.', quoted(sessions)));
      }
    },
    [CommandId.clearClosed]: async () => {
      const closed = list.sessions.filter(({ state }) => state === 'closed' || state === 'lost');
      if (closed.length === 0) {
        messages.tell(vscode.l10n.t('No session is closed; there is nothing to clear.'));
        return Promise.resolve();
      }
      list.remove(closed);
      messages.did(vscode.l10n.t('Removed {0} from the list.', quoted(closed)));
      return Promise.resolve();
    },
  };
}

/** Nothing is asked about what has exited already: only leftovers of it die. */
async function mayKill(
  { dialogs, settings }: CommandContext,
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
    ['SIGHUP', vscode.l10n.t('its terminal has gone; many servers read their settings again')],
    ['SIGQUIT', vscode.l10n.t('end and report, as Ctrl-\\ does')],
    ['SIGUSR1', vscode.l10n.t('whatever the program made of it')],
    ['SIGUSR2', vscode.l10n.t('whatever the program made of it')],
    ['SIGSTOP', vscode.l10n.t('halt until SIGCONT')],
    ['SIGCONT', vscode.l10n.t('go on after a halt')],
    ['SIGKILL', vscode.l10n.t('end at once')],
  ]);
}

async function askSignal({ dialogs }: CommandContext, session: Session): Promise<string | undefined> {
  const { signals } = session.environment.backend.capabilities;
  const usual = usualSignals();
  const known = [...usual.keys()].filter((name) => signals.includes(name));
  const others = signals.filter((name) => !usual.has(name));
  const items = [...known, ...others].map((name) => ({ label: name, description: usual.get(name) ?? '' }));
  const picked = await dialogs.pick(items, {
    title: vscode.l10n.t('Send Signal'),
    placeHolder: vscode.l10n.t('The signal for "{0}"', nameInMessage(session.label)),
    matchOnDescription: true,
  });
  return picked?.label;
}

function quoted(sessions: readonly Session[]): string {
  const [first] = sessions;
  return sessions.length === 1 && first !== undefined
    ? `"${nameInMessage(first.label)}"`
    : vscode.l10n.t('{0} sessions', sessions.length);
}

function names(sessions: readonly Session[]): string {
  return shorten(sessions.map(({ label }) => nameInMessage(label)).join('\n'), 1_000);
}
