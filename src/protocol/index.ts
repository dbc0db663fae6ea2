export * from './base64.js';
export * from './clientErrors.js';
export { connectClient } from './connectClient.js';
export { decodeParams } from './decodeParams.js';
export * from './limits.js';
export { lineTransport, type LineTransportOptions } from './lineTransport.js';
export { clientNotifications, requests, serverNotifications } from './methods.js';
export type * from './methods.js';
export { decodeOutputFrame, encodeOutputFrame, type WireOutput } from './outputFrame.js';
export { outputMessage } from './outputMessage.js';
export { pathFromUri, uriFromPath, type PathUriOptions } from './pathUri.js';
export { serveConnection } from './serveConnection.js';
export * from './transport.js';
export {
  webSocketClientOptions,
  webSocketServerOptions,
  webSocketTransport,
  type WebSocketTransportOptions,
} from './webSocketTransport.js';
export * from './wireConnection.js';
export * from './wireError.js';
