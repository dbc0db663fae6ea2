export {
  type BeginTalk,
  commandConnector,
  type CommandConnectorOptions,
} from './connect/commandConnector.js';
export { GoneError } from '../protocol/index.js';
export type { RecoveryOptions } from './session/recovery.js';
export { type Connector, socketConnector } from './connect/connector.js';
export type { RemoteBackendOptions } from './session/openSession.js';
export type { KnownProcess, KnownSession, SessionMemory } from './session/sessionMemory.js';
export { RemoteBackend } from './remoteBackend.js';
export { webSocketConnector } from './connect/webSocketConnector.js';
