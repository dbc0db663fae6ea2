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
 * A command line for Claude Code. Neither the address nor the token has characters that a shell would treat specially.
 */
export function claudeCommandLine({ url, token }: McpAddress): string {
  return `claude mcp add --transport http ${MCP_SERVER_NAME} ${url} --header "Authorization: Bearer ${token}"`;
}

/** The form that most other clients read. */
export function mcpServersJson({ url, token }: McpAddress): string {
  const server = { type: 'http', url, headers: { Authorization: `Bearer ${token}` } };
  return `${JSON.stringify({ mcpServers: { [MCP_SERVER_NAME]: server } }, undefined, 2)}\n`;
}
