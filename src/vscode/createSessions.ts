import path from 'node:path';

import * as vscode from 'vscode';

import { DisposableStore, oneLine, systemClock } from '../core/index.js';
import {
  type EnvironmentDefinition,
  type ExecEnvironment,
  LOCAL_ID,
  SessionEvents,
  SessionList,
  SurvivorWatch,
  watchQuestions,
} from '../sessions/list/index.js';
import {
  adoptNewcomers,
  Environments,
  type LocalDefinition,
  RemoteEnvironment,
} from '../sessions/environments/index.js';
import { logSessions, logSurvivors, maskedLog, RecentProblems } from './log.js';
import { safeDialogs } from './dialogs.js';
import { Askpass } from './environments/askpass.js';
import { AttendedConnections } from './environments/attended.js';
import type { ConnectOptions } from './environments/connectRemote.js';
import { EnvironmentSettings } from './environments/environmentSettings.js';
import { EnvironmentTokens } from './environments/environmentTokens.js';
import { RememberedSessions } from './environments/rememberedSessions.js';
import { showFoundProcesses } from './environments/environmentNews.js';
import { folderEnvironmentOf } from './folderEnvironmentOf.js';
import { SettingsLogLimits } from './logLimits.js';
import { followWindow, serverSettings } from './machine/serverSettings.js';
import { SessionServer } from './machine/sessionServer.js';
import { OwnBackend } from './machine/ownBackend.js';
import { Messages } from './messages.js';
import { SettingsReader } from './settingsReader.js';
import { LastSize } from './terminals/lastSize.js';
import type { ServiceOptions } from './serviceOptions.js';
import { checkTrust, loggingFailures, SessionStarter } from './sessionStarter.js';

/** The sessions of this window, and the ways to find and to start them. */
export function createSessions(options: ServiceOptions) {
  const store = new DisposableStore();
  const problems = new RecentProblems();
  const log = maskedLog(options.log, problems);
  const dialogs = safeDialogs(options.dialogs);
  const clock = systemClock;
  const settings = store.add(new SettingsReader(dialogs, log));
  const messages = new Messages(dialogs, log);
  const limits = store.add(new SettingsLogLimits(settings));
  const told = serverSettings(settings);
  const ownBackend = store.add(
    new OwnBackend({
      extensionPath: options.extensionPath,
      limits,
      loadMachine: options.loadMachine,
      receipts: told.receipts,
      log,
    }),
  );
  const list = store.add(
    new SessionList({
      folder: () => options.folders.first,
      limits: told.listLimits,
    }),
  );
  const events = store.add(new SessionEvents(list));
  store.add(logSessions(events, log));
  store.add(watchQuestions(list, clock));
  store.add(new SurvivorWatch(events, clock, (session) => logSurvivors(session, log)));
  const adoptions: Promise<void>[] = [];
  const found = (environment: ExecEnvironment) => {
    adoptions.push(showFoundProcesses(list, environment, messages));
    store.add(adoptNewcomers(list, environment, vscode.version));
  };
  const server =
    settings.get('localBackend') === 'server'
      ? new SessionServer({
          load: options.loadMachine,
          extensionPath: options.extensionPath,
          version: options.version,
          fallback: () => ownBackend.load(),
          isTrusted: options.isTrusted,
          messages,
          log,
          memento: options.globalMemento,
          clock,
          limits,
          ...told,
          foundOther: found,
        })
      : undefined;
  if (server !== undefined) {
    store.add(followWindow(server));
  }
  const here = { id: LOCAL_ID, name: vscode.l10n.t('This machine'), kind: 'local' } as const;
  const inWindow = async () => ({ backend: await ownBackend.load(), disconnect: () => undefined });
  const tokens = new EnvironmentTokens(options.secrets);
  const remembered = new RememberedSessions(options.memento);
  const askpass = store.add(new Askpass(dialogs, path.join(options.extensionPath, 'dist/askpass.js')));
  const attended = new AttendedConnections(dialogs);
  const connectTo = async (definition: EnvironmentDefinition, signal: AbortSignal) => {
    checkTrust(options.isTrusted);
    const token = await tokens.get(definition);
    const debug = (line: string) => log.debug(`environment ${definition.id}: ${oneLine(line)}`);
    const startHelper: ConnectOptions['startHelper'] = async (argv, how) =>
      (await ownBackend.load()).startHelper(argv, how);
    const memory = remembered.of(definition);
    return askpass.connect(definition, (asker) =>
      options.connect({
        ...{ definition, token, limits, memory, log: debug, signal },
        ...{ startHelper, asker, ...attended.optionsFor(definition.id) },
      }),
    );
  };
  const environments = store.add(
    new Environments({
      local: server?.place ?? new RemoteEnvironment<LocalDefinition>(here, inWindow),
      connectTo: attended.takeOr(connectTo),
      connected: found,
    }),
  );
  store.add(new EnvironmentSettings({ settings, environments, messages })).read();
  const sizes = new LastSize(options.memento);
  const starter = new SessionStarter({
    list,
    environments,
    settings,
    isTrusted: options.isTrusted,
    terminalSize: () => sizes.value,
    programs: options.cliWrapper.folder,
    inFolder: folderEnvironmentOf(ownBackend, options.cliWrapper.folder),
  });
  const quietStarter = loggingFailures(starter, log);
  return {
    log,
    problems,
    dialogs,
    messages,
    settings,
    clock,
    ownBackend,
    receipts: told.receipts,
    list,
    events,
    server,
    tokens,
    attended,
    askpass,
    connectTo,
    environments,
    sizes,
    starter,
    quietStarter,
    /** Resolves once the list has the sessions that other programs have started on this machine. */
    adopted: () => Promise.all(adoptions),
    dispose: () => store.dispose(),
  };
}

export type Sessions = ReturnType<typeof createSessions>;
