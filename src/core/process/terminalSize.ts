/** The size of a terminal in character cells; both are at least 1. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export const DEFAULT_TERMINAL_SIZE: TerminalSize = { columns: 80, rows: 24 };
