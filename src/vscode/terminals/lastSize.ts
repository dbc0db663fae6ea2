import type { Memento } from 'vscode';

import { isRecord, type TerminalSize } from '../../core/index.js';

const KEY = 'execSessions.terminalSize';

/** The size of the last terminal of this workspace, also after VS Code was started again. */
export class LastSize {
  readonly #memento: Memento;

  constructor(memento: Memento) {
    this.#memento = memento;
  }

  get value(): TerminalSize | undefined {
    const stored = this.#memento.get<unknown>(KEY);
    const { columns, rows } = isRecord(stored) ? stored : {};
    return isCount(columns) && isCount(rows) ? { columns, rows } : undefined;
  }

  remember(size: TerminalSize): void {
    const { value } = this;
    if (value?.columns !== size.columns || value.rows !== size.rows) {
      void this.#memento.update(KEY, size);
    }
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 1_000;
}
