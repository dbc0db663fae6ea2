/** Where the open terminals are remembered, in the state of the workspace. */
export const OPEN_TERMINALS_KEY = 'execSessions.openTerminals';
