import * as vscode from 'vscode';

import { installsServer } from '../../../sessions/environments/index.js';
import type { EnvironmentSnapshot } from '../../../sessions/list/index.js';
import { nameInMessage } from '../../../sessions/words/index.js';
import { CommandId, type CommandHandlers } from '../commandIds.js';
import type { CommandContext } from '../context.js';
import { names } from '../sessionNames.js';
import type { WantedEnvironment } from './environmentTargets.js';
import { removeServerFrom } from './removeServer.js';

/** Commands on environments. */
export function environmentCommands(context: CommandContext) {
  const { environmentAdder, environments, environmentTargets, connector, messages, starter } = context;
  return {
    [CommandId.addEnvironment]: async () => {
      starter.checkTrust();
      await environmentAdder.add();
    },
    [CommandId.connectEnvironment]: async (target) => {
      starter.checkTrust();
      const environment = await environmentTargets.one(target, wantedToConnect());
      if (environment !== undefined) {
        await connector.connect(environment.id);
      }
    },
    [CommandId.disconnectEnvironment]: async (target) => {
      const environment = await environmentTargets.one(target, wantedToDisconnect());
      if (environment?.kind === 'local') {
        messages.tell(vscode.l10n.t('This machine needs no connection; there is nothing to disconnect.'));
        return;
      }
      if (environment !== undefined && (await mayDisconnect(context, environment))) {
        await environments.disconnect(environment.id);
        messages.did(vscode.l10n.t('Disconnected from "{0}".', nameInMessage(environment.label)));
      }
    },
    [CommandId.setToken]: async (target) => {
      const environment = await environmentTargets.one(target, wantedForToken());
      if (environment !== undefined) {
        await connector.askToken(environment.id);
      }
    },
    [CommandId.removeServer]: async (target) => {
      starter.checkTrust();
      const environment = await environmentTargets.one(target, wantedToRemove());
      if (environment !== undefined) {
        await removeServerFrom(context, environment);
      }
    },
  } satisfies Partial<CommandHandlers>;
}

const isRemote = ({ kind }: EnvironmentSnapshot) => kind !== 'local';
const isResting = ({ state }: EnvironmentSnapshot) => state.kind === 'disconnected' || state.kind === 'lost';

// Functions, since the language is not known when this file is loaded.
const wantedToConnect = (): WantedEnvironment => ({
  suits: (environment) => isRemote(environment) && isResting(environment),
  question: vscode.l10n.t('Connect to Environment'),
  none: vscode.l10n.t('All environments are connected.'),
});
const wantedToDisconnect = (): WantedEnvironment => ({
  suits: (environment) => isRemote(environment) && !isResting(environment),
  question: vscode.l10n.t('Disconnect from Environment'),
  none: vscode.l10n.t('No environment is connected.'),
});
const wantedForToken = (): WantedEnvironment => ({
  suits: ({ kind }) => kind === 'websocket',
  question: vscode.l10n.t('Set Token'),
  none: vscode.l10n.t('No environment takes a token: only environments with an address do.'),
});

const wantedToRemove = (): WantedEnvironment => ({
  suits: ({ kind }) => installsServer(kind),
  question: vscode.l10n.t('Remove Server'),
  none: vscode.l10n.t('No environment has a server that was installed from here.'),
});

/** Asks if sessions run there, since their fate cannot be seen without a connection. */
async function mayDisconnect(
  { list, dialogs, stopper }: Pick<CommandContext, 'dialogs' | 'list' | 'stopper'>,
  { id, kind, label }: EnvironmentSnapshot,
): Promise<boolean> {
  const sessions = list.sessions.filter((session) => session.environment.id === id && !session.ended);
  if (sessions.length === 0) {
    return true;
  }
  const stop = vscode.l10n.t('Stop and Disconnect');
  const leave = vscode.l10n.t('Disconnect');
  const answer = await dialogs.choose(
    sessions.length === 1
      ? vscode.l10n.t('Disconnect from "{0}"? One session runs there.', nameInMessage(label))
      : vscode.l10n.t(
          'Disconnect from "{0}"? {1} sessions run there.',
          nameInMessage(label),
          sessions.length,
        ),
    `${fateOf(kind)}\n\n${names(sessions)}`,
    leave,
    stop,
  );
  if (answer === stop) {
    // Sessions that could not be stopped are reported; keeping the connection would not help against them.
    await stopper.stopVisibly(sessions);
  }
  return answer === stop || answer === leave;
}

/** The fate of sessions without a connection. */
function fateOf(kind: EnvironmentSnapshot['kind']): string {
  if (kind !== 'websocket' && kind !== 'command') {
    return vscode.l10n.t('Sessions go on there, and are found again with the next connection.');
  }
  return kind === 'websocket'
    ? vscode.l10n.t('Sessions keep running there for about 80 seconds, so connect again before then.')
    : vscode.l10n.t(
        'Sessions keep running there for about 80 seconds, so connect again before then. A server on standard input and output ends them at once.',
      );
}
