export { bundledGuard, GuardProcess, type Guard } from './guard/guard.js';
export type { HelperOptions } from './helperProgram.js';
export { LocalBackend, type LocalBackendOptions } from './localBackend.js';
export { MachineNumbers } from './machineNumbers.js';
export { startTimeOf } from './processTable.js';
export { TcpPeers } from './ports/index.js';
export { withoutMark } from './sessionMark.js';
export { systemErrorNumber, systemErrorText } from './systemErrors.js';
export { findUserShell } from './userShell.js';
