/** The view of the tree, as in package.json. */
export const SESSIONS_VIEW = 'execSessions.sessions';
