export { allocate, type AllocateOptions, cancelAllocation } from './allocate.js';
export type { InstallStep } from './install/talk.js';
export {
  engineConnector,
  targetOf,
  type EngineConnectorOptions,
  type NodeQuestion,
  type Reached,
} from './engineConnector.js';
export type { ListedMember } from './list/listedMember.js';
export { listMembers, type MemberList } from './list/listMembers.js';
export { matchHosts, offeredMembers } from './list/offeredMembers.js';
export { removeServer, type Removed } from './removeServer.js';
