import * as vscode from 'vscode';

import { type Clock, type Disposable, oneLine } from '../../core/index.js';
import type { Leftover } from '../../machine/index.js';
import type { Session } from '../../sessions/list/index.js';
import { leftoverText } from '../../sessions/words/index.js';
import { CommandId } from '../commands/commandIds.js';
import type { MessageAction, Messages } from '../messages.js';
import { errorText } from '../userError.js';

/**
 * The time from the end of a session server to the look for leftover processes, in milliseconds. Its guard first ends
 * the processes of its sessions, and those that are told to terminate need some time.
 */
const SETTLE_MS = 5_000;

interface LostServerOptions {
  readonly clock: Clock;
  readonly messages: Pick<Messages, 'warn'>;
  readonly log: Pick<vscode.LogOutputChannel, 'warn'>;
  /** The leftover processes of this machine. */
  readonly leftovers: () => Promise<readonly Leftover[]>;
}

/**
 * Names the leftover processes of sessions some time after their server has ended, since nothing else would end them.
 */
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
      // Without receipts, the session of a leftover process is not known.
      const left = (await leftovers()).filter(
        ({ receipt }) => receipt === undefined || lost.has(receipt.sessionId),
      );
      if (left.length > 0) {
        messages.warn(leftoverText(left, vscode.l10n), [showLeftovers()]);
      }
    } catch (error) {
      log.warn(`Leftover processes of the session server cannot be found: ${oneLine(errorText(error))}`);
    }
  }
}

function showLeftovers(): MessageAction {
  return {
    title: vscode.l10n.t('Show Leftover Processes…'),
    run: () => vscode.commands.executeCommand(CommandId.showLeftovers),
  };
}
