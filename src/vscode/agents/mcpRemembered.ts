import type { Memento } from 'vscode';

/** The stored facts about the MCP server of a workspace. */
export interface Remembered {
  /** A part of the key that its token is stored under. */
  readonly id: string;
  readonly port: number;
  /** Whether a program outside VS Code was given its address. If so, the server starts with VS Code. */
  readonly known: boolean;
}

export const REMEMBERED_KEY = 'execSessions.mcpServer';

/** Undefined in a workspace that never had a server. */
export function rememberedServer(workspaceState: Memento): Remembered | undefined {
  const stored = workspaceState.get<unknown>(REMEMBERED_KEY);
  const { id, port, known } = (stored ?? {}) as Partial<Record<keyof Remembered, unknown>>;
  return typeof id === 'string' &&
    typeof port === 'number' &&
    Number.isInteger(port) &&
    port >= 0 &&
    port <= 65_535
    ? { id, port, known: known === true }
    : undefined;
}
