import { type Clock, type Disposable, oneLine } from '../../core/index.js';
import * as vscode from 'vscode';

import type { Leftover } from '../../machine/index.js';
import type { Session } from '../../sessions/list/index.js';
import { leftoverText } from '../../sessions/words/index.js';
import { CommandId } from '../commands/commandIds.js';
import type { MessageAction, Messages } from '../messages.js';
import { errorText } from '../userError.js';

/**
 * How long after the end of a session server to look for what is left, in milliseconds: its guard first ends what
 * belonged to its sessions, which takes those that are told to terminate some time.
 */
const SETTLE_MS = 5_000;

export interface LostServerOptions {
  readonly clock: Clock;
  readonly messages: Pick<Messages, 'warn'>;
  readonly log: Pick<vscode.LogOutputChannel, 'warn'>;
  /** The processes that sessions have left running, of this machine. */
  readonly leftovers: () => Promise<readonly Leftover[]>;
}

/** Names what sessions have left running whose server has ended, some time after that: nothing else would end it. */
export class LostServer implements Disposable {
  readonly #options: LostServerOptions;
  readonly #looks = new Set<Disposable>();

  constructor(options: LostServerOptions) {
    this.#options = options;
  }

  /** @param lost The sessions that this window knew of the server. */
  lookLater(lost: readonly Session[]): void {
    const look = this.#options.clock.after(SETTLE_MS, () => {
      this.#looks.delete(look);
      void this.#look(new Set(lost.map(({ id }) => id)));
    });
    this.#looks.add(look);
  }

  dispose(): void {
    this.#looks.forEach((look) => look.dispose());
  }

  async #look(lost: ReadonlySet<string>): Promise<void> {
    const { leftovers, messages, log } = this.#options;
    try {
      // Where no receipts are written, nobody knows which session has left it.
      const left = (await leftovers()).filter(
        ({ receipt }) => receipt === undefined || lost.has(receipt.sessionId),
      );
      if (left.length > 0) {
        messages.warn(leftoverText(left, vscode.l10n), [showLeftovers()]);
      }
    } catch (error) {
      log.warn(`What the session server has left cannot be found: ${oneLine(errorText(error))}`);
    }
  }
}

function showLeftovers(): MessageAction {
  return {
    title: vscode.l10n.t('Show Leftover Processes…'),
    run: () => vscode.commands.executeCommand(CommandId.showLeftovers),
  };
}
