import path from 'node:path';

import * as vscode from 'vscode';

import { DisposableStore, oneLine, systemClock } from '../core/index.js';
import { bundledGuard, LocalBackend } from '../local/index.js';
import {
  type EnvironmentDefinition,
  type ExecEnvironment,
  LOCAL_ID,
  SessionEvents,
  SessionList,
  SurvivorWatch,
} from '../sessions/list/index.js';
import { adoptNewcomers, Environments, residentPlace } from '../sessions/environments/index.js';
import { logSessions, logSurvivors, maskedLog, RecentProblems } from './log.js';
import { safeDialogs } from './dialogs.js';
import { EnvironmentSettings } from './environments/environmentSettings.js';
import { EnvironmentTokens } from './environments/environmentTokens.js';
import { RememberedSessions } from './environments/rememberedSessions.js';
import { showFoundProcesses } from './environments/environmentNews.js';
import { SettingsLogLimits } from './logLimits.js';
import { followWindow, serverSettings } from './machine/serverSettings.js';
import { SessionServer } from './machine/sessionServer.js';
import { WindowReceipts } from './machine/windowReceipts.js';
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
  const backend = new LocalBackend({
    limits,
    guard: bundledGuard(path.join(options.extensionPath, 'dist'), () =>
      log.error(
        'The guard cannot run. If this extension host is killed, sessions may go on without anybody who sees them.',
      ),
    ),
  });
  const told = serverSettings(settings);
  const windowReceipts = store.add(
    new WindowReceipts({
      backend,
      load: options.loadMachine,
      wanted: told.receipts,
      log: (line) => log.warn(oneLine(line)),
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
          fallback: backend,
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
  const here = { id: LOCAL_ID, label: vscode.l10n.t('This machine'), backend };
  const tokens = new EnvironmentTokens(options.secrets);
  const remembered = new RememberedSessions(options.memento);
  const connectTo = async (definition: EnvironmentDefinition, signal: AbortSignal) => {
    checkTrust(options.isTrusted);
    const token = await tokens.get(definition);
    const debug = (line: string) => log.debug(`environment ${definition.id}: ${oneLine(line)}`);
    const startHelper: LocalBackend['startHelper'] = (argv, how) => backend.startHelper(argv, how);
    const memory = remembered.of(definition);
    return options.connect({ definition, token, limits, memory, log: debug, signal, startHelper });
  };
  const environments = store.add(
    new Environments({ local: server?.place ?? residentPlace(here), connectTo, connected: found }),
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
  });
  const quietStarter = loggingFailures(starter, log);
  return {
    log,
    problems,
    dialogs,
    messages,
    settings,
    clock,
    ownBackend: backend,
    receipts: told.receipts,
    windowReceipts,
    list,
    events,
    server,
    tokens,
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
