import type { LogOutputChannel, Memento } from 'vscode';

import type { Clock, Sighting } from '../../core/index.js';
import type { Environments } from '../../sessions/environments/index.js';
import type { SessionList, WindowFolders, WindowMarks } from '../../sessions/list/index.js';
import type { ArrangementChoice, MemberWatch } from '../../sessions/tree/index.js';
import type { McpServer } from '../agents/mcpServer.js';
import type { Wrapper } from '../cli/wrapper.js';
import type { DiagnosticsDocument } from '../diagnostics/diagnosticsDocument.js';
import type { Dialogs } from '../dialogs.js';
import type { Batches } from '../environments/batches.js';
import type { Askpass } from '../environments/askpass.js';
import type { RemoveServer } from '../environments/connectRemote.js';
import type { EnvironmentAdder } from '../environments/environmentAdder.js';
import type { EnvironmentConnector } from '../environments/environmentConnector.js';
import type { Messages } from '../messages.js';
import type { OutputDocuments } from '../output/outputDocuments.js';
import type { Earlier } from '../machine/earlier.js';
import type { SessionStarter } from '../sessionStarter.js';
import type { SettingsReader } from '../settingsReader.js';
import type { Stopper } from '../stopper.js';
import type { ShellCommands } from '../terminals/shellCommands.js';
import type { SessionTerminals } from '../terminals/sessionTerminals.js';
import type { EarlierRows } from '../tree/earlierRows.js';
import type { SessionTree } from '../tree/sessionTree.js';
import type { TreeDisplay } from '../tree/sessionsView.js';
import type { KeepOffer } from '../output/keepOffer.js';
import type { AskCommandLine } from './start/commandLinePrompt.js';
import type { EnvironmentTargets } from './places/environmentTargets.js';
import type { SessionTargets } from './sessionTargets.js';

/** The services that the commands work with. */
export interface CommandContext {
  readonly list: SessionList;
  readonly starter: SessionStarter;
  readonly environments: Environments;
  readonly environmentTargets: EnvironmentTargets;
  readonly members: MemberWatch;
  readonly batches: Batches;
  readonly environmentAdder: EnvironmentAdder;
  readonly connector: EnvironmentConnector;
  readonly stopper: Stopper;
  readonly terminals: SessionTerminals;
  readonly documents: OutputDocuments;
  readonly diagnostics: DiagnosticsDocument;
  readonly extensionPath: string;
  readonly targets: SessionTargets;
  readonly mcpServer: McpServer;
  readonly keepOffer: KeepOffer;
  /** The command `exec-sessions`. */
  readonly cliWrapper: Wrapper;
  /** A folder that belongs to the extension in this VS Code, and that no update moves. */
  readonly storage: string;
  readonly settings: SettingsReader;
  readonly clock: Clock;
  readonly removeServer: RemoveServer;
  readonly askpass: Askpass;
  readonly dialogs: Dialogs;
  readonly askCommandLine: AskCommandLine;
  readonly messages: Messages;
  readonly log: LogOutputChannel;
  /** Remembers the command lines of this workspace. */
  readonly memento: Memento;
  /** A person's choices about the tree. */
  readonly arrangement: ArrangementChoice;
  readonly marks: WindowMarks;
  /** The folders that say which sessions belong to this window. */
  readonly folders: WindowFolders;
  readonly tree: SessionTree;
  readonly display: TreeDisplay;
  /** The earlier sessions and their leftover processes. */
  readonly earlier: Earlier;
  readonly shellCommands: ShellCommands;
  readonly earlierRows: EarlierRows;
  /** Looks at the processes of this machine that are no sessions. */
  readonly lookAround: () => Promise<readonly Sighting[]>;
  /** Whether sessions of this machine get a receipt. */
  readonly receipts: () => boolean;
}
