import { toolDefinitions } from '../../agent/definitions.js';

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

/** The limit of the present Codex for a call, in seconds. Earlier versions gave up after one minute by default. */
const TOOL_TIMEOUT_S = 300;

const TABLE = `mcp_servers.${MCP_SERVER_NAME}`;

/**
 * Lines for Codex's `config.toml`. They are the same for all programs that read this file. Codex asks people before the
 * call of a tool that acts, unless these lines approve it. If it cannot ask, as in `codex exec`, it refuses the call.
 */
export function codexConfiguration({ url, token }: McpAddress): string {
  const reading = toolDefinitions.filter(({ readOnly }) => readOnly);
  const acting = toolDefinitions.filter(({ readOnly }) => !readOnly);
  return [
    `[${TABLE}]`,
    `url = "${url}"`,
    `http_headers = { "Authorization" = "Bearer ${token}" }`,
    `tool_timeout_sec = ${TOOL_TIMEOUT_S}`,
    '',
    '# These tools only read.',
    ...reading.flatMap(({ name }) => approval(name)),
    '',
    '# These tools run commands, type and stop, outside of the sandbox of Codex. Codex asks you before each call, and',
    '# "codex exec" refuses them. Without the "#", a model uses them without a question.',
    ...acting.flatMap(({ name }) => approval(name).map((line) => `# ${line}`)),
    '',
  ].join('\n');
}

function approval(name: string): readonly string[] {
  return [`[${TABLE}.tools.${name}]`, 'approval_mode = "approve"'];
}
