import { randomUUID } from 'node:crypto';

import * as vscode from 'vscode';

/** The mark of a terminal in what VS Code gives the commands in a terminal's menu (`MarshalledId.TerminalContext`). */
const TERMINAL_CONTEXT = 15;

/** So many numbers are asked about at first, beyond the greatest that is known, and at most. */
const FIRST = 64;
const MOST = 4_096;

/** The scheme of the addresses that VS Code gives to terminals in the editor area. */
const TERMINAL_SCHEME = 'vscode-terminal';

/** Whether something is the address of a terminal in the editor area. */
export function isTerminalUri(target: unknown): target is vscode.Uri {
  return target instanceof vscode.Uri && target.scheme === TERMINAL_SCHEME;
}

/** The number in the address of a terminal in the editor area: `vscode-terminal:/WORKSPACE/NUMBER`. */
export function numberIn({ path }: Pick<vscode.Uri, 'path'>): number {
  return Number(path.split('/')[2]);
}

/**
 * The numbers that VS Code gives to its terminals. No API has them, but the menus of tabs in the editor area tell their
 * terminals apart by nothing else. What does have them is what VS Code makes of the arguments on a terminal's menu: a number
 * on the way out becomes a terminal on the way in. So arguments are sent to VS Code that it sends back to a command of ours.
 * If a VS Code to come does otherwise, no number is known, and those menus have no entries of ours.
 */
export class TerminalNumbers {
  readonly #known = new Map<vscode.Terminal, number>();

  /** The number of a terminal, if it has been found. */
  of(terminal: vscode.Terminal): number | undefined {
    return this.#known.get(terminal);
  }

  /** Finds the numbers of these terminals, as far as VS Code has opened them, and forgets all others. */
  async find(terminals: readonly vscode.Terminal[]): Promise<void> {
    for (const terminal of this.#known.keys()) {
      if (!terminals.includes(terminal)) {
        this.#known.delete(terminal);
      }
    }
    const areKnown = () => terminals.every((terminal) => this.#known.has(terminal));
    let size = Math.max(0, ...this.#known.values()) + FIRST;
    while (!areKnown() && size <= MOST) {
      const found = await terminalsByNumber(size);
      for (const [place, one] of found.entries()) {
        const terminal = terminals.find((wanted) => wanted === one);
        if (terminal !== undefined) {
          this.#known.set(terminal, place + 1);
        }
      }
      size *= 4;
    }
  }
}

/** What VS Code makes of the numbers from 1 on: its terminals, and nothing where there is none. */
async function terminalsByNumber(size: number): Promise<readonly unknown[]> {
  const command = `_execSessions.terminals.${randomUUID()}`;
  let found: readonly unknown[] = [];
  const answer = vscode.commands.registerCommand(command, (terminals: unknown) => {
    found = Array.isArray(terminals) ? terminals : [];
  });
  const numbers = Array.from({ length: size }, (_, place) => ({
    $mid: TERMINAL_CONTEXT,
    instanceId: place + 1,
  }));
  try {
    // A command of VS Code's own: one of ours would be called directly, and its arguments left as they are.
    await vscode.commands.executeCommand('runCommands', { commands: [{ command, args: [numbers] }] });
  } finally {
    answer.dispose();
  }
  return found;
}
