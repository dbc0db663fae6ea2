export type { ServedTools } from './agentServer.js';
export { serveMcpOverHttp, type McpHttpOptions, type McpHttpServer } from './http.js';
export { serveMcpOverStdio, type McpStdioOptions } from './stdio.js';
