export { bundledGuard, GuardProcess, type Guard, heldGuard } from './guard/guard.js';
export { type GuardedEnd, readReport } from './guard/report.js';
export type { HelperOptions } from './helperProgram.js';
export { bootId } from './bootId.js';
export {
  endProcess,
  leftByEndedServers,
  membersOfSessions,
  type SessionMember,
  startedAtOf,
} from './leftByEnded.js';
export { LocalBackend, type LocalBackendOptions, type StopOutcome } from './localBackend.js';
export { openFilesIn } from './openFiles.js';
export { terminalSupport } from './nodePty.js';
export { MachineNumbers } from './machineNumbers.js';
export { isAlive, startTimeOf } from './processTable.js';
export { processNamespace } from './processNamespace.js';
export { stateFolder } from './stateFolder.js';
export { TcpPeers } from './ports/index.js';
export { SharedAnswer } from './sharedAnswer.js';
export { withoutMark } from './sessionMark.js';
export { systemErrorNumber, systemErrorText } from './systemErrors.js';
export { findUserShell } from './userShell.js';
