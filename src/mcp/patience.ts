const SECOND_MS = 1_000;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;

interface Patience {
  /** The first version that was seen to wait so long. Nothing is known of earlier ones. */
  readonly since: string;
  /** How long a call may take, in milliseconds: safely less than the client waits for it. */
  readonly longestMs: number;
}

/** The clients whose limit is known, by the name in their handshake or request. */
const CLIENTS: ReadonlyMap<unknown, Patience> = new Map([
  // It has no limit as long as it gets progress. `claude -p` waits. The interactive one lets its model go on after two
  // minutes, and the answer begins a turn.
  ['claude-code', { since: '2.1.330', longestMs: DAY_MS }],
  // It cancels the call after 300 s.
  ['codex-mcp-client', { since: '0.171.0', longestMs: 285 * SECOND_MS }],
  // It gives the call up after 600 s.
  ['gemini-cli-mcp-client', { since: '0.61.0', longestMs: 585 * SECOND_MS }],
]);

/**
 * How long a client waits for the answer to a call, by its information about itself; undefined for what tools assume of
 * any client. A client with a false name loses only its own answers.
 */
export function patienceOf(clientInfo: unknown): number | undefined {
  const { name, version } = (clientInfo ?? {}) as { readonly name?: unknown; readonly version?: unknown };
  const known = CLIENTS.get(name);
  return known !== undefined && typeof version === 'string' && isFrom(version, known.since)
    ? known.longestMs
    : undefined;
}

/** Whether a version is this one or a later one. */
function isFrom(version: string, first: string): boolean {
  return version.localeCompare(first, 'en', { numeric: true }) >= 0;
}
