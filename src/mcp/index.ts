import type { McpHttpOptions, McpHttpServer } from './http.js';

export type { ServedTools } from './agentServer.js';
export type { McpHttpServer } from './http.js';
export { serveMcpOverStdio } from './stdio.js';

/** Calls `serveMcpOverHttp` of http.ts, which a program that speaks on its pipes need not load. */
export async function serveMcpOverHttp(options: McpHttpOptions): Promise<McpHttpServer> {
  const http = await import('./http.js');
  return http.serveMcpOverHttp(options);
}
