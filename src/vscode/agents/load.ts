import type { AgentHost, AgentTools } from '../../agent/index.js';
import type { ServeMcp } from './mcpServer.js';

/** The tools and what they need, a terminal emulator and regular expressions, are a program of their own. */
export async function loadAgentTools(host: AgentHost): Promise<AgentTools> {
  const { createAgentTools } = await import('../../agent/index.js');
  return createAgentTools({ host });
}

/** So is what serves MCP. */
export async function loadMcp(): Promise<ServeMcp> {
  const { serveMcpOverHttp } = await import('../../mcp/index.js');
  return serveMcpOverHttp;
}
