export type { Kin } from './lineage.js';
export { lsofPorts } from './lsofPorts.js';
export { LocalPorts } from './localPorts.js';
export type { PortListeners, PortViewer } from './portListeners.js';
export { TcpPeers } from './tcpPeers.js';
