import type { CommandId } from '../../../src/vscode/commands/commandIds.js';

type CommandName = keyof typeof CommandId;

/** One sentence or two about each command, by heading, for docs/commands-and-settings.md. VS Code has no place for them. */
export const commandTexts: Readonly<Record<string, Readonly<Partial<Record<CommandName, string>>>>> = {
  'Start': {
    newSession: 'Starts a command in a terminal or with pipes.',
    newSessionHere:
      'Starts one in the folder of a file: in the Explorer, an editor, on a tab, or dropped onto the view.',
    newShellSession: 'Starts your shell on this machine.',
    newSessionInEnvironment: 'Starts one on another machine or in a container. Connects first.',
    newSessionOnSeveral: 'Starts one command in several environments.',
    retryFailed: 'Starts those that failed again.',
    stopBatch: 'Stops the others.',
    refreshMembers: 'Lists them anew.',
    restart:
      'Stops a session, waits until its ports are free, and runs it again in the same terminal and row.',
    runAgain: 'Starts the same command anew, with the same variables. Asks if the first still runs.',
    splitTerminal: 'Starts a shell beside it, in the same environment and directory.',
  },
  'Terminals': {
    showSelected: 'Shows the terminal of the selected row, as a click does.',
    openTerminal: 'Shows the terminal of a session, and puts the keyboard there.',
    openAnotherTerminal: 'Shows a session in one more terminal.',
    openInEditor: 'Shows a session as a tab beside your files.',
    openBeside: 'The same, in a column of its own.',
    detach: 'Closes the terminals of a session, which goes on.',
    closeEndedTerminals: 'Closes the terminals of ended sessions. Their rows stay.',
  },
  'Stop': {
    stop: 'Ends a session step by step, with its background jobs. Can be cancelled.',
    stopPort: 'Stops the session that listens at a port. Asks before it ends another process.',
    kill: 'Ends a session at once, with its background jobs. Asks first.',
    stopAll: 'Stops all sessions, of this window or of all, after a question. Names detached processes.',
    sendSignal: 'Sends a signal of your choice.',
    endLeftover: 'Ends one leftover process of an ended session.',
    stopSighting: 'Ends a process that is no session, and all below it. Asks first.',
    showLeftovers: 'Lists the leftover processes of all ended sessions, and ends those that you choose.',
    cleanUp: 'Lists these, and what has outlived its agent, and ends those that you choose.',
  },
  'Input and agents': {
    sendText: 'Types a text and Enter into a session.',
    closeStandardInput: 'Ends the input of a session. In a terminal this is Ctrl-D.',
    takeControl: 'Lets you type into the session of an agent, which is told.',
    giveBackControl: 'Lets the agent type there again, and not you.',
    keepRunning: "Lets an agent's session go on without a client as long as your own.",
    doNotKeepRunning: 'Takes that back.',
    connectAgent:
      'Opens the doors by which an agent reaches us, or closes them. It shows what it changes, and asks.',
    copyMcpConfiguration: 'Starts the MCP server of this workspace, and copies the lines for your agent.',
    newMcpToken: 'Shuts out all programs that have the old token.',
    stopMcpServer: 'Ends the MCP server until you copy its configuration again. Its sessions go on.',
  },
  'Output and receipts': {
    copyCommandLine: 'Copies the command line.',
    copyOutput: 'Copies the output that is kept, without colours.',
    openOutput: 'Opens the output in an editor, and follows it.',
    searchOutput: 'Searches the output of all sessions, earlier ones too, and opens it at the line.',
    saveOutput: 'Writes the output to a file: as text, or for `.ansi` and `.raw` as the program wrote it.',
    keepOutput: 'Keeps the output on disk as well, from the oldest that memory still has.',
    doNotKeepOutput: 'Ends that, and removes the files.',
    openPort: 'Opens a port of a session in the browser.',
    copyPortAddress: 'Copies the address of that port.',
    runReceipt: 'Starts the command of a receipt as a new session, with the variables of this window.',
    copyReceipt: 'Copies a receipt as text.',
    copyReceiptAsJson: 'Copies a receipt as JSON.',
    removeReceipt: 'Takes a receipt out of all lists.',
    clearEarlier: 'Removes all receipts, with output on disk. Asks first.',
  },
  'The list': {
    rename: 'Gives a session another name.',
    pin: 'Keeps a session in a group at the top, also after a reload.',
    unpin: 'Puts it back among the others.',
    notifyAtEnd: 'Tells you when the session ends. Choose it again to take that back.',
    remove: 'Takes an ended session off the list, with its terminals. Can be undone.',
    clearClosed: 'Moves all closed sessions of this window to **Ended Earlier**. Can be undone.',
    undoRemove: 'Brings back the sessions that were removed within the last ten seconds.',
    filter: 'Shows some sessions only, while you type: by name, folder, port, agent, failure or environment.',
    clearFilter: 'Shows all of them again.',
    groupBy: 'Groups the sessions by state, owner, environment or folder.',
    showElsewhereApart: 'Puts the sessions of folders outside of this window into the group **Elsewhere**.',
    showElsewhereInPlace: 'Puts them among the sessions of this window.',
  },
  'Environments': {
    addEnvironment:
      'Asks for a host, a container, an address or a command, tries it, and writes the setting.',
    newAllocation: 'Asks Slurm for nodes, with the options of `salloc`, and adds the job once it has them.',
    cancelAllocation: 'Ends the job with its sessions, and removes it from the settings. Asks first.',
    connectEnvironment: 'Connects, and shows the sessions there. Can be cancelled.',
    disconnectEnvironment: 'Ends the connection. Asks first if sessions run there.',
    removeServer: 'Deletes all that Exec Sessions has put there, and offers to remove the setting.',
    setToken: 'Remembers the token of a server with an address, in the secret storage of VS Code.',
  },
  'Help': {
    openDocumentation: 'Opens a page of this documentation.',
    installCommandLine:
      'Links `exec-sessions` into a folder such as `~/.local/bin`, for other terminals than those of VS Code.',
    showLog: 'Shows the log of the extension.',
    showDiagnostics: 'Opens a report of versions, environments, servers and the last errors.',
    copyDiagnostics: 'Copies that report. It has no values of settings.',
  },
};
