export * from './messages/base64.js';
export { connectClient } from './connection/connectClient.js';
export { cutTexts } from './messages/cutTexts.js';
export { decodeParams } from './messages/decodeParams.js';
export * from './messages/errors.js';
export * from './limits.js';
export { lineTransport } from './transport/lineTransport.js';
export { clientNotifications, requests, serverNotifications } from './messages/methods/index.js';
export type * from './messages/methods/index.js';
export {
  decodeOutputFrame,
  encodeOutputFrame,
  type WireOutput,
  outputMessage,
} from './messages/wireOutput.js';
export { pathFromUri, uriFromPath } from './messages/pathUri.js';
export { serveConnection } from './connection/serveConnection.js';
export * from './transport/transport.js';
export type { Signs } from './transport/heartbeat.js';
export { GoneError } from './transport/transportState.js';
export {
  webSocketClientOptions,
  webSocketServerOptions,
  webSocketTransport,
  type WebSocketTransportOptions,
} from './transport/webSocketTransport.js';
export * from './connection/wireConnection.js';
