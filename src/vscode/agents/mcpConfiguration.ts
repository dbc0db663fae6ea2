/** Where an MCP server is, and what opens it. */
export interface McpAddress {
  readonly url: string;
  readonly token: string;
}

/** What clients call the server. */
export const MCP_SERVER_NAME = 'exec-sessions';

/** A call may wait for half an hour, {@link TOOL_LIMITS}; Codex gives up after a minute unless told otherwise. */
const TOOL_TIMEOUT_S = 1_860;

/** For Codex's own `config.toml`; what a client wants there is the same for all that read such a file. */
export function codexConfiguration({ url, token }: McpAddress): string {
  return [
    `[mcp_servers.${MCP_SERVER_NAME}]`,
    `url = "${url}"`,
    `http_headers = { "Authorization" = "Bearer ${token}" }`,
    `tool_timeout_sec = ${TOOL_TIMEOUT_S}`,
    '',
  ].join('\n');
}

/** A command line; neither an address nor a token has anything in it that a shell would take apart. */
export function claudeCommandLine({ url, token }: McpAddress): string {
  return `claude mcp add --transport http ${MCP_SERVER_NAME} ${url} --header "Authorization: Bearer ${token}"`;
}

/** What most other clients read. */
export function mcpServersJson({ url, token }: McpAddress): string {
  const server = { type: 'http', url, headers: { Authorization: `Bearer ${token}` } };
  return `${JSON.stringify({ mcpServers: { [MCP_SERVER_NAME]: server } }, undefined, 2)}\n`;
}
