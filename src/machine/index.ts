export { connectMachine, connectTo, type Machine, type MachineOptions } from './connectMachine.js';
export { claimFile, versionOf } from './fileClaim.js';
export { findServers, type FoundServer } from './findServers.js';
export { defaultFolder, ensurePrivateFolder, privatePlaces, socketIn } from './privateFolder.js';
export { StartError, systemReason } from './startError.js';
export { startServer } from './startServer.js';
export { stateFolderOf } from './userFolders.js';
export { connectSocket, LONGEST_SOCKET_PATH, meansNobodyListens, socketName } from './unixSocket.js';
export { type ServerWatch, watchServers } from './watchServers.js';
