export { commandConnector, type CommandConnectorOptions } from './commandConnector.js';
export type { RecoveryOptions } from './connectionSession.js';
export type { Connector } from './connector.js';
export type { RemoteBackendOptions } from './openSession.js';
export { RemoteBackend } from './remoteBackend.js';
export { socketConnector } from './socketConnector.js';
export { webSocketConnector, type WebSocketConnectorOptions } from './webSocketConnector.js';
