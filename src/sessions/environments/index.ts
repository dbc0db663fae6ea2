export {
  engineNotes,
  engineRow,
  type ListedEngine,
  type MemberListing,
  memberRow,
  noteRow,
  type ShownMember,
} from './engineRow.js';
export { engineIdOf, memberId } from './memberId.js';
export { adoptNewcomers, adoptProcesses } from './adoptProcesses.js';
export {
  environmentIcon,
  environmentRow,
  type EnvironmentRow,
  environmentStatus,
  installsServer,
} from './environmentRow.js';
export { type EnvironmentChange, Environments } from './environments.js';
export { pathHere } from './pathHere.js';
export type { Place } from './place.js';
export { parseEnvironments } from './parseEnvironments.js';
export {
  type ConnectTo,
  type LocalDefinition,
  type RemoteConnection,
  RemoteEnvironment,
} from './remoteEnvironment.js';
export { environmentEntry, freeId, idsOf, newEnvironment } from './newEnvironment.js';
