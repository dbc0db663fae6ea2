export * from './claudeDoor.js';
export { connectMachine, connectTo, type Machine } from './connectMachine.js';
export {
  endProcess,
  endTree,
  findProgram,
  markOf,
  type ListeningProcess,
  processesAt,
  processesMarked,
  Sightings,
} from '../local/index.js';
export { DoorFolder } from './doorFolder.js';
export type { Door, DoorPlace } from './door.js';
export { doorsOf } from './doors.js';
export { endServers } from './endServers.js';
export { claimFile, versionOf } from './fileClaim.js';
export { exposedFolders, findServers, findSockets, type FoundServer, isOurs } from './findServers.js';
export { removeJobFolder } from './jobStep.js';
export { findForgotten, findLeftovers, type Leftover } from './leftovers.js';
export * from './outputFiles/index.js';
export {
  defaultFolder,
  ensurePrivateFolder,
  privatePlaces,
  socketIn,
  socketPlaces,
} from './privateFolder.js';
export * from './receipts/index.js';
export { ownProgram } from './ownProgram.js';
export { joinServer } from './joinServer.js';
export type { MachineOptions } from './reachServer.js';
export { removeOwnFiles } from './removeOwnFiles.js';
export { SIGN_MS } from './runOwner.js';
export { readServerFiles, type ServerBuild, type ServerFiles, serverFolderName } from './serverFiles.js';
export { StartError, systemReason } from './startError.js';
export { startServer } from './startServer.js';
export { copiesFolder, sandboxFolders } from './userFolders.js';
export { connectSocket, LONGEST_SOCKET_PATH, meansNobodyListens, socketName } from './unixSocket.js';
export { type ServerWatch, watchServers } from './watchServers.js';
