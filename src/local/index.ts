export { GuardProcess, type Guard } from './guard/guard.js';
export { DEFAULT_RETENTION_MS, LocalBackend, type LocalBackendOptions } from './localBackend.js';
export { DEFAULT_GRACE_MS } from './stopLadder.js';
export { findProgram } from './program.js';
