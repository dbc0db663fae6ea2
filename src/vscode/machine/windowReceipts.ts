import * as vscode from 'vscode';

import type { Disposable } from '../../core/index.js';
import type { LocalBackend } from '../../local/index.js';
import type { ReceiptBook } from '../../machine/index.js';
import { SETTINGS_SECTION } from '../../sessions/options/index.js';
import type { MachineModule } from './sessionServer.js';

interface WindowReceiptsOptions {
  /** The backend of the window's own sessions. */
  readonly backend: LocalBackend;
  readonly load: () => Promise<MachineModule>;
  /** Whether the user wants receipts. Asked each time. */
  readonly wanted: () => boolean;
  readonly log: (line: string) => void;
}

/**
 * Writes receipts of the sessions that this window runs itself. It begins with the first one, since most windows run no
 * sessions.
 */
export class WindowReceipts implements Disposable {
  readonly #options: WindowReceiptsOptions;
  readonly #listening: readonly Disposable[];
  #book: Promise<ReceiptBook | undefined> | undefined;

  constructor(options: WindowReceiptsOptions) {
    this.#options = options;
    this.#listening = [
      options.backend.onDidChange(({ type }) => {
        if (type === 'added') {
          this.#openIfWanted();
        }
      }),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(SETTINGS_SECTION)) {
          void this.#follow();
        }
      }),
    ];
  }

  /** Says that running sessions end with this window, by `shutdown`, and writes how they end. */
  async endWith(shutdown: () => Promise<void>): Promise<void> {
    const book = await this.#book;
    book?.allEnd({ kind: 'window' });
    await shutdown();
    await book?.close();
  }

  dispose(): void {
    this.#listening.forEach((one) => one.dispose());
  }

  #openIfWanted(): void {
    if (this.#options.wanted()) {
      this.#book ??= this.#open();
    }
  }

  async #open(): Promise<ReceiptBook | undefined> {
    const { backend, load, log } = this.#options;
    try {
      const { openReceipts } = await load();
      const book = openReceipts(backend, log, true);
      book.on = true;
      return book;
    } catch (error) {
      log(`Receipts cannot be written: ${String(error)}`);
      return undefined;
    }
  }

  /** The settings have changed. */
  async #follow(): Promise<void> {
    const book = await this.#book;
    if (book !== undefined) {
      book.on = this.#options.wanted();
    }
  }
}
