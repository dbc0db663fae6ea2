export { GuardProcess, type Guard } from './guard/guard.js';
export { LocalBackend, type LocalBackendOptions } from './localBackend.js';
