/** The address of an MCP server, and the token that it accepts. */
export interface McpAddress {
  readonly url: string;
  readonly token: string;
}

/** The name of the server in the configuration of a client. */
export const MCP_SERVER_NAME = 'exec-sessions';

/**
 * A command line for Claude Code, for every common shell and for PowerShell. Other users of the machine can read the
 * arguments of a program, so the token is not one: `echo` is a part of the shell. Neither the address nor the token has
 * characters that a shell would treat specially.
 */
export function claudeCommandLine(address: McpAddress): string {
  return `echo '${JSON.stringify(httpServer(address))}' | claude mcp add-json ${MCP_SERVER_NAME} -`;
}

/** The form that most other clients read. */
export function mcpServersJson(address: McpAddress): string {
  return `${JSON.stringify({ mcpServers: { [MCP_SERVER_NAME]: httpServer(address) } }, undefined, 2)}\n`;
}

function httpServer({ url, token }: McpAddress): object {
  return { type: 'http', url, headers: { Authorization: `Bearer ${token}` } };
}
