import * as vscode from 'vscode';

import type { Member } from '../core/index.js';
import type { Session, WindowFolders } from '../sessions/list/index.js';
import type { ListMembers } from '../sessions/tree/index.js';
import type { AgentsOptions } from './agents/createAgents.js';
import type { Wrapper } from './cli/wrapper.js';
import type { AskCommandLine } from './commands/start/commandLinePrompt.js';
import type { Dialogs } from './dialogs.js';
import type { ConnectEnvironment, RemoveServer } from './environments/connectRemote.js';
import type { Secrets } from './environments/environmentTokens.js';
import type { MachineModule } from './machine/sessionServer.js';
import { SessionTree } from './tree/sessionTree.js';
import type { TreeDisplay } from './tree/sessionsView.js';

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
  /** Lists the members of engines. */
  readonly listMembers: ListMembers;
  readonly removeServer: RemoveServer;
  /** The machines that can be offered without asking. */
  readonly offerMembers: (signal: AbortSignal) => Promise<readonly Member[]>;
  /** Loads the code that finds and starts the session server. */
  readonly loadMachine: () => Promise<MachineModule>;
  /** The command `exec-sessions`. */
  readonly cliWrapper: Wrapper;
  /** A folder that belongs to the extension in this VS Code, and that no update moves. */
  readonly storage: string;
  readonly folders: WindowFolders;
  /** Puts the tree into its view, whose icon counts the sessions. */
  readonly showTree: (tree: SessionTree, sessions: () => readonly Session[]) => TreeDisplay;
}
