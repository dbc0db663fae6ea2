export { commandConnector, type CommandConnectorOptions } from './connect/commandConnector.js';
export type { RecoveryOptions } from './session/recovery.js';
export type { Connector } from './connect/connector.js';
export type { RemoteBackendOptions } from './session/openSession.js';
export type { KnownProcess, KnownSession, SessionMemory } from './session/sessionMemory.js';
export { RemoteBackend } from './remoteBackend.js';
export { socketConnector } from './connect/socketConnector.js';
export { webSocketConnector, type WebSocketConnectorOptions } from './connect/webSocketConnector.js';
