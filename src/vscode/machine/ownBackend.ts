import path from 'node:path';

import * as vscode from 'vscode';

import { type Disposable, type LogLimits, oneLine } from '../../core/index.js';
import type { LocalBackend } from '../../local/index.js';
import type { ReceiptBook } from '../../machine/index.js';
import { SETTINGS_SECTION, SHUTDOWN_GRACE_MS } from '../../sessions/options/index.js';
import type { MachineModule } from './sessionServer.js';

interface OwnBackendOptions {
  readonly extensionPath: string;
  readonly limits: LogLimits;
  readonly loadMachine: () => Promise<MachineModule>;
  /** Whether the user wants receipts. Asked each time. */
  readonly receipts: () => boolean;
  readonly log: vscode.LogOutputChannel;
}

/**
 * The backend of the sessions that this window runs itself. It is loaded when it is first needed, and receipts begin
 * with its first session, since the session server runs the sessions of most windows.
 */
export class OwnBackend implements Disposable {
  readonly #options: OwnBackendOptions;
  readonly #listening: Disposable;
  #backend: Promise<LocalBackend> | undefined;
  #receipts: Promise<ReceiptBook | undefined> | undefined;

  constructor(options: OwnBackendOptions) {
    this.#options = options;
    this.#listening = vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(SETTINGS_SECTION)) {
        void this.#follow();
      }
    });
  }

  load(): Promise<LocalBackend> {
    return (this.#backend ??= this.#load());
  }

  /** Stops its sessions, and writes that they ended with the window. */
  async shutdown(): Promise<void> {
    const backend = await this.#backend?.catch(() => undefined);
    if (backend !== undefined) {
      const receipts = await this.#receipts;
      receipts?.allEnd({ kind: 'window' });
      await backend.shutdown({ graceMs: SHUTDOWN_GRACE_MS });
      await receipts?.close();
    }
  }

  dispose(): void {
    this.#listening.dispose();
  }

  async #load(): Promise<LocalBackend> {
    const { extensionPath, limits, receipts, log } = this.#options;
    const { bundledGuard, LocalBackend, Sandboxes } = await import('../../local/index.js');
    const programs = path.join(extensionPath, 'dist');
    const machine = await this.#options.loadMachine().catch(() => undefined);
    const backend = new LocalBackend({
      limits,
      sandboxes: machine && new Sandboxes(machine.sandboxFolders(process.env, programs, [])),
      guard: bundledGuard(programs, () =>
        log.error(
          'The guard cannot run. If this extension host is killed, sessions may go on without anybody who sees them.',
        ),
      ),
    });
    backend.onDidChange(({ type }) => {
      if (type === 'added' && receipts()) {
        this.#receipts ??= this.#openReceipts(backend);
      }
    });
    return backend;
  }

  async #openReceipts(backend: LocalBackend): Promise<ReceiptBook | undefined> {
    const log = (line: string) => this.#options.log.warn(oneLine(line));
    try {
      const { openReceipts } = await this.#options.loadMachine();
      const book = openReceipts(backend, log, true);
      book.on = true;
      return book;
    } catch (error) {
      log(`Receipts cannot be written: ${String(error)}`);
      return undefined;
    }
  }

  /** Called when the settings have changed. */
  async #follow(): Promise<void> {
    const book = await this.#receipts;
    if (book !== undefined) {
      book.on = this.#options.receipts();
    }
  }
}
