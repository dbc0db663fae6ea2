import { setImmediate as nextTurn } from 'node:timers/promises';

import * as vscode from 'vscode';

import { DisposableStore } from '../core/index.js';
import { SessionList } from '../sessions/list/index.js';
import { Environments } from '../sessions/environments/index.js';
import type { ExecSessionsApi } from '../api/exec-sessions.js';
import { type Agents, createAgents } from './agents/createAgents.js';
import { createApi } from './api.js';
import { CommandId, type CommandHandlers } from './commands/commandIds.js';
import { commandHandlers } from './commands/commandHandlers.js';
import type { CommandContext } from './commands/context.js';
import { startDropped } from './commands/start/dropped.js';
import { EnvironmentTargets } from './commands/places/environmentTargets.js';
import { DiagnosticsDocument } from './diagnostics/diagnosticsDocument.js';
import { Messages } from './messages.js';
import { tellOfEndsWithoutWindow } from './notice/endNotices.js';
import { showNotices } from './notice/notices.js';
import { OutputDocuments } from './output/outputDocuments.js';
import { SessionStarter } from './sessionStarter.js';
import { SettingsReader } from './settingsReader.js';
import { SessionTerminals } from './terminals/sessionTerminals.js';
import type { TreeNode } from './tree/nodes.js';
import { SessionTasks } from './tasks/sessionTasks.js';
import { SessionTree } from './tree/sessionTree.js';
import { createSessions } from './createSessions.js';
import { createWindow } from './createWindow.js';
import type { ServiceOptions } from './serviceOptions.js';

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
  /** Starts a command for something that was dropped onto the view, after a question. */
  startDropped(target: TreeNode | undefined, dropped: vscode.DataTransfer): Promise<void>;
  readonly api: ExecSessionsApi;
  /**
   * Shows the sessions that already run in session servers of this machine, and those that other programs start from
   * now on.
   */
  lookForSessions(): Promise<void>;
  /**
   * Leaves the session server, where all sessions go on. Sessions that this window runs itself are stopped; the whole
   * ladder takes at most two seconds.
   */
  shutdown(): Promise<void>;
}

export function createServices(options: ServiceOptions): Services {
  const { askCommandLine, isTrusted, folders, cliWrapper, storage, memento } = options;
  const store = new DisposableStore();
  const sessions = store.add(createSessions(options));
  const window = store.add(createWindow(options, sessions));
  const { log, problems, dialogs, messages, settings, clock, list, events } = sessions;
  const { server, environments, starter, quietStarter, ownBackend } = sessions;
  const { stopper, stopVisibly, terminals, memory, documents, marks, tree, ofThisWindow } = window;
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
        await sessions.adopted();
      },
    }),
  );
  const diagnostics = store.add(
    new DiagnosticsDocument(
      {
        extensionPath: options.extensionPath,
        version: options.version,
        servers: () => server?.connected ?? { own: undefined, others: [] },
        environments,
        list,
        settings,
        mcpServer,
        isTrusted,
        program: cliWrapper.file,
      },
      problems,
    ),
  );
  const context: CommandContext = {
    ...sessions,
    ...window,
    removeServer: options.removeServer,
    environmentTargets: new EnvironmentTargets({ environments, dialogs, messages }),
    diagnostics,
    extensionPath: options.extensionPath,
    mcpServer,
    cliWrapper,
    storage,
    askCommandLine,
    memento,
    folders,
  };
  const commands = commandHandlers(context);
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
      // VS Code waits for the activation; no caller waits for this.
      await nextTurn();
      await server?.follow();
      await sessions.adopted();
      tellOfEndsWithoutWindow(options.globalMemento, messages, ofThisWindow());
      await memory?.restore();
    },
    shutdown: async () => {
      memory?.dispose();
      await list.forgetSetAside();
      await Promise.all([mcpServer.stop(), ownBackend.shutdown(), environments.disconnectAll()]);
      server?.disconnect();
    },
    dispose: () => store.dispose(),
  };
}
