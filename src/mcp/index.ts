export { serveMcpOverHttp, type McpHttpOptions, type McpHttpServer } from './http.js';
export { serveMcpOverStdio, type McpStdioOptions } from './stdio.js';
export type { ServedTools } from './tools.js';
