/** The address of an MCP server, and the token that it accepts. */
export interface McpAddress {
  readonly url: string;
  readonly token: string;
}

/** The name of the server in the configuration of a client. */
export const MCP_SERVER_NAME = 'exec-sessions';

/**
 * A client's limit for a call, in seconds. A call may wait for half an hour, {@link TOOL_LIMITS}; Codex gives up after
 * a minute by default.
 */
const TOOL_TIMEOUT_S = 1_860;

/** Lines for Codex's `config.toml`. They are the same for all programs that read this file. */
export function codexConfiguration({ url, token }: McpAddress): string {
  return [
    `[mcp_servers.${MCP_SERVER_NAME}]`,
    `url = "${url}"`,
    `http_headers = { "Authorization" = "Bearer ${token}" }`,
    `tool_timeout_sec = ${TOOL_TIMEOUT_S}`,
    '',
  ].join('\n');
}

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
