// All commands of the exec-server but `mcp`: one file of dist/, which is loaded when the command line asks for it.
export { defaultFolder, socketIn } from '../machine/index.js';
export { bridge, bridgeToSessions } from './bridge.js';
export { serve } from './serveCommand.js';
export { uninstall } from './uninstall.js';
export { serveSessions } from './sessionsCommand.js';
