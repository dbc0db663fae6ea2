import type { Terminal, Uri } from 'vscode';

import type { StartOptions } from '../../api/exec-sessions.js';
import type { Grouping, TreeFilter } from '../../sessions/tree/index.js';
import type {
  EngineNode,
  EnvironmentNode,
  GroupNode,
  ReceiptNode,
  SessionNode,
  SightingNode,
  UsageNode,
} from '../tree/nodes.js';

/** Every command of the extension. package.json declares the same ones. */
export const CommandId = {
  newSession: 'execSessions.newSession',
  newSessionHere: 'execSessions.newSessionHere',
  newShellSession: 'execSessions.newShellSession',
  newSessionInEnvironment: 'execSessions.newSessionInEnvironment',
  newSessionOnSeveral: 'execSessions.newSessionOnSeveral',
  retryFailed: 'execSessions.retryFailed',
  stopBatch: 'execSessions.stopBatch',
  refreshMembers: 'execSessions.refreshMembers',
  newAllocation: 'execSessions.newAllocation',
  cancelAllocation: 'execSessions.cancelAllocation',
  addEnvironment: 'execSessions.addEnvironment',
  connectEnvironment: 'execSessions.connectEnvironment',
  disconnectEnvironment: 'execSessions.disconnectEnvironment',
  setToken: 'execSessions.setToken',
  removeServer: 'execSessions.removeServer',
  showSelected: 'execSessions.showSelected',
  openTerminal: 'execSessions.openTerminal',
  openAnotherTerminal: 'execSessions.openAnotherTerminal',
  splitTerminal: 'execSessions.splitTerminal',
  openInEditor: 'execSessions.openInEditor',
  openBeside: 'execSessions.openBeside',
  stop: 'execSessions.stop',
  kill: 'execSessions.kill',
  // As stop and restart, without their keys: in a terminal these go to the program.
  stopInTerminal: 'execSessions.stopInTerminal',
  restartInTerminal: 'execSessions.restartInTerminal',
  stopPort: 'execSessions.stopPort',
  endLeftover: 'execSessions.endLeftover',
  stopSighting: 'execSessions.stopSighting',
  sendSignal: 'execSessions.sendSignal',
  sendText: 'execSessions.sendText',
  closeStandardInput: 'execSessions.closeStandardInput',
  takeControl: 'execSessions.takeControl',
  giveBackControl: 'execSessions.giveBackControl',
  keepRunning: 'execSessions.keepRunning',
  doNotKeepRunning: 'execSessions.doNotKeepRunning',
  keepOutput: 'execSessions.keepOutput',
  doNotKeepOutput: 'execSessions.doNotKeepOutput',
  restart: 'execSessions.restart',
  runAgain: 'execSessions.runAgain',
  pin: 'execSessions.pin',
  unpin: 'execSessions.unpin',
  rename: 'execSessions.rename',
  copyCommandLine: 'execSessions.copyCommandLine',
  copyOutput: 'execSessions.copyOutput',
  openOutput: 'execSessions.openOutput',
  searchOutput: 'execSessions.searchOutput',
  saveOutput: 'execSessions.saveOutput',
  notifyAtEnd: 'execSessions.notifyAtEnd',
  openPort: 'execSessions.openPort',
  copyPortAddress: 'execSessions.copyPortAddress',
  remove: 'execSessions.remove',
  clearClosed: 'execSessions.clearClosed',
  detach: 'execSessions.detach',
  closeEndedTerminals: 'execSessions.closeEndedTerminals',
  undoRemove: 'execSessions.undoRemove',
  filter: 'execSessions.filter',
  clearFilter: 'execSessions.clearFilter',
  groupBy: 'execSessions.groupBy',
  showElsewhereApart: 'execSessions.showElsewhereApart',
  showElsewhereInPlace: 'execSessions.showElsewhereInPlace',
  stopAll: 'execSessions.stopAll',
  connectAgent: 'execSessions.connectAgent',
  copyMcpConfiguration: 'execSessions.copyMcpConfiguration',
  newMcpToken: 'execSessions.newMcpToken',
  stopMcpServer: 'execSessions.stopMcpServer',
  installCommandLine: 'execSessions.installCommandLine',
  openDocumentation: 'execSessions.openDocumentation',
  showLog: 'execSessions.showLog',
  runReceipt: 'execSessions.runReceipt',
  copyReceipt: 'execSessions.copyReceipt',
  copyReceiptAsJson: 'execSessions.copyReceiptAsJson',
  removeReceipt: 'execSessions.removeReceipt',
  clearEarlier: 'execSessions.clearEarlier',
  showLeftovers: 'execSessions.showLeftovers',
  cleanUp: 'execSessions.cleanUp',
  showDiagnostics: 'execSessions.showDiagnostics',
  copyDiagnostics: 'execSessions.copyDiagnostics',
} as const;

export type CommandId = (typeof CommandId)[keyof typeof CommandId];

/**
 * The session that a command is to work on. It is a row, an id, an object with an id, a terminal, or the address of a
 * terminal in the editor area. Sessions of the public API have an id. A key gives `{ selection: true }` for the
 * selected rows; with `opens` it expands or collapses a row that is not a session. Without a target, the user is asked.
 */
export type SessionTarget =
  | SessionNode
  | string
  | { readonly id: string }
  | Terminal
  | Uri
  | { readonly selection: true; readonly opens?: true };

/**
 * A menu of the tree passes the row first and all selected rows second. A menu of a tab passes the place of the tab
 * second.
 */
type OnSessions = [target?: SessionTarget, all?: readonly SessionTarget[]];
type OnSession = [target?: SessionTarget];

/** A session, or an earlier session whose output is on disk. Without one, the user is asked for a session. */
type OutputTarget = SessionTarget | ReceiptNode;
type OnOutput = [target?: OutputTarget];

/** The environment that a command is to work on: its row, or its id. Without a target, the user is asked. */
type EnvironmentTarget = EnvironmentNode | string;
type OnEnvironment = [target?: EnvironmentTarget];

/** The rows of earlier sessions. Without one, the user is asked. */
type OnReceipts = [target?: ReceiptNode, all?: readonly ReceiptNode[]];

/** The arguments of each command. An argument replaces the question to the user. */
interface CommandArguments {
  [CommandId.newSession]: [options?: StartOptions];
  [CommandId.newSessionHere]: [target?: Uri];
  [CommandId.newShellSession]: [];
  [CommandId.newSessionInEnvironment]: OnEnvironment;
  [CommandId.newSessionOnSeveral]: [target?: EnvironmentNode, all?: readonly EnvironmentNode[]];
  [CommandId.retryFailed]: [batch?: GroupNode];
  [CommandId.stopBatch]: [batch?: GroupNode];
  [CommandId.refreshMembers]: [engine?: EngineNode];
  [CommandId.newAllocation]: [];
  [CommandId.cancelAllocation]: [engine?: EngineNode];
  [CommandId.addEnvironment]: [];
  [CommandId.connectEnvironment]: OnEnvironment;
  [CommandId.disconnectEnvironment]: OnEnvironment;
  [CommandId.setToken]: OnEnvironment;
  [CommandId.removeServer]: OnEnvironment;
  [CommandId.showSelected]: [];
  [CommandId.openTerminal]: [
    target?: SessionTarget,
    all?: readonly SessionTarget[],
    options?: { readonly preserveFocus?: boolean },
  ];
  [CommandId.openAnotherTerminal]: OnSessions;
  [CommandId.splitTerminal]: OnSession;
  [CommandId.openInEditor]: OnSessions;
  [CommandId.openBeside]: OnSessions;
  [CommandId.stop]: OnSessions;
  [CommandId.kill]: OnSessions;
  [CommandId.stopInTerminal]: OnSessions;
  [CommandId.restartInTerminal]: OnSessions;
  [CommandId.stopPort]: [port?: number];
  [CommandId.endLeftover]: OnSession;
  [CommandId.stopSighting]: [row?: SightingNode];
  [CommandId.sendSignal]: [target?: SessionTarget, all?: readonly SessionTarget[], signal?: string];
  [CommandId.sendText]: [target?: SessionTarget, all?: readonly SessionTarget[], text?: string];
  [CommandId.closeStandardInput]: OnSessions;
  [CommandId.takeControl]: OnSessions;
  [CommandId.giveBackControl]: OnSessions;
  [CommandId.keepRunning]: OnSessions;
  [CommandId.doNotKeepRunning]: OnSessions;
  [CommandId.keepOutput]: OnSessions;
  [CommandId.doNotKeepOutput]: OnSessions;
  [CommandId.restart]: OnSessions;
  [CommandId.runAgain]: OnSessions;
  [CommandId.pin]: OnSessions;
  [CommandId.unpin]: OnSessions;
  [CommandId.rename]: [target?: SessionTarget, all?: readonly SessionTarget[], title?: string];
  [CommandId.copyCommandLine]: OnSessions;
  [CommandId.copyOutput]: OnOutput;
  [CommandId.openOutput]: [target?: OutputTarget, all?: readonly OutputTarget[]];
  [CommandId.searchOutput]: [];
  [CommandId.saveOutput]: OnOutput;
  [CommandId.notifyAtEnd]: OnSessions;
  [CommandId.openPort]: [row?: UsageNode];
  [CommandId.copyPortAddress]: [row?: UsageNode];
  [CommandId.remove]: OnSessions;
  [CommandId.clearClosed]: [];
  [CommandId.detach]: OnSessions;
  [CommandId.closeEndedTerminals]: [];
  [CommandId.undoRemove]: [];
  [CommandId.filter]: [filter?: TreeFilter];
  [CommandId.clearFilter]: [];
  [CommandId.groupBy]: [grouping?: Grouping];
  [CommandId.showElsewhereApart]: [];
  [CommandId.showElsewhereInPlace]: [];
  [CommandId.stopAll]: [];
  [CommandId.connectAgent]: [];
  [CommandId.copyMcpConfiguration]: [];
  [CommandId.newMcpToken]: [];
  [CommandId.stopMcpServer]: [];
  [CommandId.installCommandLine]: [];
  [CommandId.openDocumentation]: [];
  [CommandId.showLog]: [];
  [CommandId.runReceipt]: OnReceipts;
  [CommandId.copyReceipt]: OnReceipts;
  [CommandId.copyReceiptAsJson]: OnReceipts;
  [CommandId.removeReceipt]: OnReceipts;
  [CommandId.clearEarlier]: [];
  [CommandId.showLeftovers]: [];
  [CommandId.cleanUp]: [];
  [CommandId.showDiagnostics]: [];
  [CommandId.copyDiagnostics]: [];
}

/** The result of each command. Commands that start a session return its id, or undefined if none was started. */
type CommandResult<Id extends CommandId> = Id extends
  | typeof CommandId.newSession
  | typeof CommandId.newSessionHere
  | typeof CommandId.newShellSession
  | typeof CommandId.newSessionInEnvironment
  | typeof CommandId.restart
  | typeof CommandId.restartInTerminal
  | typeof CommandId.runAgain
  | typeof CommandId.runReceipt
  | typeof CommandId.splitTerminal
  ? string | undefined
  : unknown;

/** The handlers of all commands; the compiler reports a missing one. */
export type CommandHandlers = {
  readonly [Id in CommandId]: (...args: CommandArguments[Id]) => Promise<CommandResult<Id>>;
};
