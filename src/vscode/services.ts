import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import * as vscode from 'vscode';

import { DisposableStore, oneLine, systemClock } from '../core/index.js';
import { bundledGuard, LocalBackend } from '../local/index.js';
import {
  type EnvironmentDefinition,
  type ExecEnvironment,
  LOCAL_ID,
  type Session,
  SessionEvents,
  SessionList,
  SurvivorWatch,
  type WindowFolders,
  WindowMarks,
} from '../sessions/list/index.js';
import { adoptNewcomers, Environments, residentPlace } from '../sessions/environments/index.js';
import { SHUTDOWN_GRACE_MS } from '../sessions/options/index.js';
import type { ExecSessionsApi } from '../api/exec-sessions.js';
import { type Agents, type AgentsOptions, createAgents } from './agents/createAgents.js';
import { createApi } from './api.js';
import type { Wrapper } from './cli/wrapper.js';
import type { AskCommandLine } from './commands/commandLinePrompt.js';
import { CommandId, type CommandHandlers } from './commands/commandIds.js';
import { commandHandlers } from './commands/commandHandlers.js';
import type { CommandContext } from './commands/context.js';
import { startDropped } from './commands/dropped.js';
import { EnvironmentTargets } from './commands/environmentTargets.js';
import { SessionTargets } from './commands/sessionTargets.js';
import { DiagnosticsDocument } from './diagnostics/diagnosticsDocument.js';
import { RecentProblems } from './diagnostics/recentProblems.js';
import { safeDialogs, type Dialogs } from './dialogs.js';
import type { ConnectEnvironment } from './environments/connectRemote.js';
import { EnvironmentAdder } from './environments/environmentAdder.js';
import { EnvironmentConnector } from './environments/environmentConnector.js';
import { tellOfEnvironments } from './environments/environmentNews.js';
import { EnvironmentSettings } from './environments/environmentSettings.js';
import { EnvironmentTokens, type Secrets } from './environments/environmentTokens.js';
import { RememberedSessions } from './environments/rememberedSessions.js';
import { showFoundProcesses } from './environments/foundProcesses.js';
import { LostServer } from './environments/lostServer.js';
import { SettingsLogLimits } from './logLimits.js';
import { Earlier } from './machine/earlier.js';
import { followWindow } from './machine/followWindow.js';
import { serverSettings } from './machine/serverSettings.js';
import { type MachineModule, SessionServer } from './machine/sessionServer.js';
import { WindowReceipts } from './machine/windowReceipts.js';
import { maskedLog } from './maskedLog.js';
import { Messages } from './messages.js';
import { tellOfEndsWithoutWindow } from './notice/keepNotice.js';
import { showNotices } from './notice/notices.js';
import { KeepOffer } from './output/keepOffer.js';
import { OutputDocuments } from './output/outputDocuments.js';
import { logSessions, logSurvivors } from './sessionLog.js';
import { loggingFailures, SessionStarter } from './sessionStarter.js';
import { SettingsReader } from './settingsReader.js';
import { Stopper } from './stopper.js';
import { ACTIVE_TERMINAL_KEY, followActiveTerminal, showActiveTerminal } from './terminals/activeTerminal.js';
import { DetachNotice } from './terminals/detachNotice.js';
import { EnvironmentLinks } from './terminals/environmentLinks.js';
import { LastSize } from './terminals/lastSize.js';
import { SessionTerminals } from './terminals/sessionTerminals.js';
import { TerminalMemory } from './terminals/terminalMemory.js';
import type { TreeNode } from './tree/nodes.js';
import { EarlierRows } from './tree/earlierRows.js';
import { rememberedArrangement } from './tree/rememberedArrangement.js';
import { SessionTasks } from './tasks/sessionTasks.js';
import { SessionTree } from './tree/sessionTree.js';
import type { TreeDisplay } from './tree/treeDisplay.js';

/** The connections of the extension to the outside, which tests replace. */
export interface ServiceOptions extends Pick<AgentsOptions, 'loadTools' | 'loadMcp'> {
  /** The directory of the installed extension. */
  readonly extensionPath: string;
  readonly version: string;
  readonly memento: vscode.Memento;
  /** Remembers for all workspaces. */
  readonly globalMemento: vscode.Memento;
  readonly secrets: Secrets;
  readonly log: vscode.LogOutputChannel;
  readonly dialogs: Dialogs;
  readonly askCommandLine: AskCommandLine;
  readonly isTrusted: () => boolean;
  /** Connects to environments other than this machine. */
  readonly connect: ConnectEnvironment;
  /** Loads what finds and starts the session server. */
  readonly loadMachine: () => Promise<MachineModule>;
  /** The command `exec-sessions`. */
  readonly cliWrapper: Wrapper;
  /** A folder that belongs to the extension in this VS Code, and that no update moves. */
  readonly storage: string;
  readonly folders: WindowFolders;
  /** Puts the tree into its view, whose icon counts the sessions. */
  readonly showTree: (tree: SessionTree, sessions: () => readonly Session[]) => TreeDisplay;
}

/** Everything that lives as long as the extension. */
export interface Services extends Agents {
  readonly list: SessionList;
  readonly environments: Environments;
  readonly tree: SessionTree;
  readonly starter: SessionStarter;
  readonly terminals: SessionTerminals;
  readonly documents: OutputDocuments;
  readonly diagnostics: DiagnosticsDocument;
  readonly settings: SettingsReader;
  readonly storage: string;
  readonly messages: Messages;
  readonly tasks: SessionTasks;
  readonly commands: CommandHandlers;
  /** Starts what was dropped onto the view, after a look. */
  startDropped(target: TreeNode | undefined, dropped: vscode.DataTransfer): Promise<void>;
  readonly api: ExecSessionsApi;
  /** Shows what runs on this machine already, and from now on what other programs start, in session servers. */
  lookForSessions(): Promise<void>;
  /**
   * Leaves the session server, where everything goes on. Sessions that this window runs itself are stopped; the whole
   * ladder takes two seconds at most.
   */
  shutdown(): Promise<void>;
}

export function createServices(options: ServiceOptions): Services {
  const { memento, askCommandLine, isTrusted, folders, cliWrapper, storage } = options;
  const problems = new RecentProblems();
  const log = maskedLog(options.log, problems);
  const dialogs = safeDialogs(options.dialogs);
  const store = new DisposableStore();
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
      folder: () => folders.first,
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
  const remembered = new RememberedSessions(memento);
  const connectTo = async (definition: EnvironmentDefinition, signal: AbortSignal) => {
    starter.checkTrust();
    const token = await tokens.get(definition);
    const debug = (line: string) => log.debug(`environment ${definition.id}: ${oneLine(line)}`);
    const startHelper: LocalBackend['startHelper'] = (argv, how) => backend.startHelper(argv, how);
    const memory = remembered.of(definition);
    return options.connect({ definition, token, limits, memory, log: debug, signal, startHelper });
  };
  const environments: Environments = store.add(
    new Environments({ local: server?.place ?? residentPlace(here), connectTo, connected: found }),
  );
  store.add(new EnvironmentSettings({ settings, environments, messages })).read();
  const starter: SessionStarter = new SessionStarter({
    list,
    environments,
    settings,
    isTrusted,
    terminalSize: () => terminals.lastSize,
    programs: cliWrapper.folder,
  });
  const quietStarter = loggingFailures(starter, log);
  const stopper = new Stopper({ settings, messages, clock });
  const stopVisibly = async (session: Session) => {
    await stopper.stopVisibly([session]);
  };
  const detachNotice = new DetachNotice({ memento: options.globalMemento, messages, stop: stopVisibly });
  const terminals: SessionTerminals = store.add(
    new SessionTerminals({
      list,
      dialogs,
      onClose: () => settings.get('terminalOnClose'),
      stop: stopVisibly,
      runAgain: (session) => quietStarter.runAgain(session),
      tellOfDetach: (session) => detachNotice.tell(session),
      sizes: new LastSize(memento),
      log,
    }),
  );
  const links = new EnvironmentLinks({
    environments,
    messages,
    sessionOf: (one) => terminals.sessionOf(one),
  });
  store.add(vscode.window.registerTerminalLinkProvider(links));
  const memory = server && store.add(new TerminalMemory({ memento, list, terminals, clock }));
  const keepOffer = new KeepOffer(messages);
  const earlier = new Earlier(options.loadMachine, told.receipts);
  const documents = store.add(new OutputDocuments(list, earlier, clock, keepOffer.whenMissing));
  const connector = new EnvironmentConnector({ environments, tokens, dialogs, messages, clock });
  const environmentAdder = new EnvironmentAdder({
    environments,
    settings,
    tokens,
    connector,
    dialogs,
    messages,
    clock,
    test: async (definition, signal) => (await connectTo(definition, signal)).disconnect(),
  });
  const connect = (id: string) => connector.connect(id);
  const leftovers = () => earlier.leftovers((reason) => log.warn(oneLine(reason)));
  const lostServer = store.add(new LostServer({ clock, messages, log, leftovers }));
  const lostWithServer = (sessions: readonly Session[]) => lostServer.lookLater(sessions);
  store.add(tellOfEnvironments({ environments, list, messages, log, connect, lostWithServer }));
  const arrangement = store.add(rememberedArrangement(memento));
  const marks = new WindowMarks(folders);
  const earlierRows = store.add(
    new EarlierRows({
      read: () => earlier.receipts(),
      withOutput: () => earlier.withOutput(),
      isListed: (id) => list.get(id) !== undefined,
      clock,
      log: (line) => log.warn(oneLine(line)),
    }),
  );
  const tree = store.add(new SessionTree(list, environments, clock, arrangement, folders, earlierRows));
  const ofThisWindow = () => list.sessions.filter((session) => folders.has(session));
  const display = store.add(options.showTree(tree, ofThisWindow));
  const targets = new SessionTargets({
    list,
    dialogs,
    messages,
    active: () => terminals.sessionOf(vscode.window.activeTerminal),
    forKey: (opens) => display.forKey(opens),
    shownIn: (target) => terminals.sessionOf(target as vscode.Terminal | undefined),
  });
  store.add(
    showActiveTerminal(
      terminals,
      list,
      (value) => void vscode.commands.executeCommand('setContext', ACTIVE_TERMINAL_KEY, value),
    ),
  );
  store.add(followActiveTerminal(terminals, display));
  const { agentTools, mcpServer, callPlace } = store.add(
    createAgents({
      ...options,
      list,
      environments,
      starter: quietStarter,
      stopper,
      terminals,
      settings,
      events,
      messages,
      log,
      clock,
      catchUp: async () => {
        await server?.catchUp();
        await Promise.all(adoptions);
      },
    }),
  );
  store.add(
    showNotices({
      events,
      list,
      folders,
      marks,
      clock,
      dialogs,
      messages,
      settings,
      terminals,
      mcpServer,
      stop: stopVisibly,
      restart: ({ id }) =>
        void commands[CommandId.restart](id).catch((error: unknown) => messages.failed(error)),
    }),
  );
  const diagnostics = store.add(
    new DiagnosticsDocument(
      {
        extensionPath: options.extensionPath,
        version: options.version,
        ownBackend: backend,
        servers: () => server?.connected ?? { own: undefined, others: [] },
        environments,
        list,
        settings,
        mcpServer,
        isTrusted,
      },
      problems,
    ),
  );
  const context: CommandContext = {
    list,
    starter,
    environments,
    environmentTargets: new EnvironmentTargets({ environments, dialogs, messages }),
    environmentAdder,
    connector,
    stopper,
    terminals,
    documents,
    diagnostics,
    extensionPath: options.extensionPath,
    targets,
    mcpServer,
    keepOffer,
    cliWrapper,
    storage,
    settings,
    dialogs,
    askCommandLine,
    earlier,
    earlierRows,
    messages,
    log,
    memento,
    arrangement,
    marks,
    folders,
    tree,
    display,
  };
  const commands = commandHandlers(context);
  return {
    list,
    environments,
    tree,
    starter,
    terminals,
    documents,
    diagnostics,
    settings,
    storage,
    messages,
    tasks: new SessionTasks({ starter, terminals, messages, stop: stopVisibly }),
    agentTools,
    callPlace,
    mcpServer,
    commands,
    startDropped: (target, dropped) => startDropped(context, target, dropped),
    api: createApi({ list, environments, events, starter: quietStarter, stopper, terminals }),
    lookForSessions: async () => {
      // VS Code waits for the activation, and nobody for this.
      await nextTurn();
      await server?.follow();
      await Promise.all(adoptions);
      tellOfEndsWithoutWindow(options.globalMemento, messages, ofThisWindow());
      await memory?.restore();
    },
    shutdown: async () => {
      memory?.dispose();
      await list.forgetSetAside();
      await Promise.all([
        mcpServer.stop(),
        windowReceipts.endWith(() => backend.shutdown({ graceMs: SHUTDOWN_GRACE_MS })),
        environments.disconnectAll(),
      ]);
      server?.disconnect();
    },
    dispose: () => store.dispose(),
  };
}
