/** The view of the tree, as in package.json. */
export const SESSIONS_VIEW = 'execSessions.sessions';

/** The scheme of the addresses of documents with output. */
export const OUTPUT_SCHEME = 'exec-session';

/** The scheme of the address of the report for those who look into a problem. */
export const DIAGNOSTICS_SCHEME = 'exec-sessions-diagnostics';

/** Where the open terminals are remembered, in the state of the workspace. */
export const OPEN_TERMINALS_KEY = 'execSessions.openTerminals';
