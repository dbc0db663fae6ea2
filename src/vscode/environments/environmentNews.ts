import * as vscode from 'vscode';

import {
  disconnectedText,
  type Disposable,
  DisposableStore,
  type LossReason,
  oneLine,
} from '../../core/index.js';
import {
  adoptProcesses,
  type EnvironmentChange,
  type Environments,
} from '../../sessions/environments/index.js';
import { type ExecEnvironment, LOCAL_ID, type Session, type SessionList } from '../../sessions/list/index.js';
import { lossText, nameInMessage } from '../../sessions/words/index.js';
import { CommandId } from '../commands/commandIds.js';
import type { MessageAction, Messages } from '../messages.js';
import { errorText } from '../userError.js';

/** Writes the changes of environments into the log, and warns the user when a connection is lost. */
export function tellOfEnvironments(options: {
  environments: Pick<Environments, 'onDidChange' | 'get'>;
  list: Pick<SessionList, 'sessions'>;
  messages: Pick<Messages, 'warn'>;
  log: Pick<vscode.LogOutputChannel, 'info'>;
  connect: (id: string) => Promise<void>;
  /** Whether it is one of this window's sessions: other windows run theirs again. */
  isOwn: (session: Session) => boolean;
}): Disposable {
  const { environments, list, messages, log, connect, isOwn } = options;
  const store = new DisposableStore();
  const mourned = new WeakSet<Session>();
  /** The sessions that had not closed when their environment was lost. Each session counts once. */
  const newlyLost = (id: string): readonly Session[] => {
    const lost = list.sessions.filter(
      (session) =>
        session.environment.id === id &&
        session.environment.backend.connection.kind === 'lost' &&
        session.state !== 'closed' &&
        !mourned.has(session),
    );
    for (const session of lost) {
      mourned.add(session);
    }
    return lost;
  };
  store.add(
    environments.onDidChange((change) => {
      if (change.before.kind === change.after.kind) {
        return;
      }
      log.info(`environment ${change.id}: ${stateForLog(change)}`);
      const environment = environments.get(change.id);
      if (change.after.kind === 'connected' && change.before.kind === 'connecting') {
        // Sessions that went with an earlier, deliberately ended connection must not count when this one is lost.
        newlyLost(change.id);
      }
      if (change.after.kind !== 'lost' || change.before.kind === 'connecting' || environment === undefined) {
        return;
      }
      const lost = newlyLost(change.id);
      if (change.id === LOCAL_ID) {
        const text = serverLostText(change.after.reason, lost.length);
        // Agents look after their own sessions.
        const own = lost.filter((session) => isOwn(session) && session.request.origin.kind !== 'agent');
        messages.warn(text, [
          ...(own.length > 0 ? [runAgain(own)] : []),
          // Only Linux can find them.
          ...(lost.length > 0 && process.platform === 'linux' ? [showLeftovers()] : []),
        ]);
        return;
      }
      const text = lostText(nameInMessage(environment.label), change.after.reason, lost.length);
      messages.warn(text, [{ title: vscode.l10n.t('Connect'), run: () => connect(change.id) }]);
    }),
  );
  return store;
}

function lostText(name: string, reason: LossReason, sessions: number): string {
  const why = lossText(reason, vscode.l10n).replace(/\.$/, '');
  if (sessions === 0) {
    return vscode.l10n.t('The connection to "{0}" was lost: {1}.', name, why);
  }
  return sessions === 1
    ? vscode.l10n.t('The connection to "{0}" was lost, and one session with it: {1}.', name, why)
    : vscode.l10n.t('The connection to "{0}" was lost, and {1} sessions with it: {2}.', name, sessions, why);
}

/** The next start has a new server, so there is nothing to do. */
function serverLostText(reason: LossReason, sessions: number): string {
  const why = lossText(reason, vscode.l10n);
  if (sessions === 0) {
    return vscode.l10n.t('The session server of this machine has ended: {0}', why);
  }
  return sessions === 1
    ? vscode.l10n.t('The session server of this machine has ended, and one session with it: {0}', why)
    : vscode.l10n.t(
        'The session server of this machine has ended, and {0} sessions with it: {1}',
        sessions,
        why,
      );
}

/** Runs them in their terminals. */
function runAgain(lost: readonly Session[]): MessageAction {
  const ids = lost.map(({ id }) => id);
  return {
    title: ids.length === 1 ? vscode.l10n.t('Run Again') : vscode.l10n.t('Run All Again'),
    run: () => vscode.commands.executeCommand(CommandId.restart, ids[0], ids),
  };
}

/** The guard of the server ends the processes of its sessions, but some may be left. */
function showLeftovers(): MessageAction {
  return {
    title: vscode.l10n.t('Show Leftover Processes…'),
    run: () => vscode.commands.executeCommand(CommandId.showLeftovers),
  };
}

function stateForLog({ after }: EnvironmentChange): string {
  return 'reason' in after ? `${after.kind}: ${oneLine(disconnectedText(after.reason))}` : after.kind;
}

/**
 * Adds the processes that an environment already has to the list, and says how many they are. A server that fails at
 * this still works otherwise, so a failure is only a warning.
 */
export async function showFoundProcesses(
  list: SessionList,
  environment: ExecEnvironment,
  messages: Messages,
): Promise<void> {
  const name = nameInMessage(environment.label);
  try {
    const { adopted: found, left } = await adoptProcesses(list, environment, vscode.version);
    // Own sessions of this machine that are found again are not news.
    if (found > 0 && environment.id !== LOCAL_ID) {
      messages.did(
        found === 1
          ? vscode.l10n.t('Connected to "{0}", where one process was found.', name)
          : vscode.l10n.t('Connected to "{0}", where {1} processes were found.', name, found),
      );
    }
    if (left > 0) {
      messages.warn(
        vscode.l10n.t('{0} more processes on "{1}" are not shown: there are too many.', left, name),
      );
    }
  } catch (error) {
    // The connection may have been lost meanwhile, which is reported elsewhere.
    if (environment.backend.connection.kind !== 'lost') {
      messages.warn(
        vscode.l10n.t('Processes that already run on "{0}" could not be listed: {1}', name, errorText(error)),
      );
    }
  }
}
