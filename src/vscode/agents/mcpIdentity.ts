import { randomBytes } from 'node:crypto';

import type * as vscode from 'vscode';

import { type Disposable, Emitter, type Event } from '../../core/index.js';
import type { Secrets } from '../environments/environmentTokens.js';
import { REMEMBERED_KEY, type Remembered, rememberedServer } from './mcpRemembered.js';

const TOKEN_BYTES = 32;

/**
 * The identity of a workspace's MCP server, which stays the same from one start of VS Code to the next: its port and
 * its token.
 */
export class McpIdentity implements Disposable {
  readonly #memento: vscode.Memento;
  readonly #secrets: Secrets;
  readonly #didChangeToken = new Emitter<void>();
  readonly #subscription: vscode.Disposable;
  /** The id for a workspace that has none yet. */
  readonly #firstId = newId();
  /** The key of the token that this window has used last. */
  #usedKey: string | undefined;
  /** The newest token that this window has made. */
  #made: string | undefined;

  constructor(memento: vscode.Memento, secrets: Secrets) {
    this.#memento = memento;
    this.#secrets = secrets;
    this.#subscription = secrets.onDidChange(({ key }) => {
      if (key === this.#usedKey) {
        this.#didChangeToken.fire();
      }
    });
  }

  /** Fires when there may be a new token, made by this window or by another one of the same workspace. */
  get onDidChangeToken(): Event<void> {
    return this.#didChangeToken.event;
  }

  /** Undefined in a workspace that never had a server. */
  get remembered(): Remembered | undefined {
    return rememberedServer(this.#memento);
  }

  async remember(changes: Partial<Remembered>): Promise<void> {
    const before: Remembered = this.remembered ?? { id: this.#firstId, port: 0, known: false };
    await this.#memento.update(REMEMBERED_KEY, { ...before, ...changes });
  }

  /** The token. It is made if necessary. */
  async token(): Promise<string> {
    this.#usedKey = this.#key;
    const kept = await this.#secrets.get(this.#usedKey);
    return kept !== undefined && kept !== '' ? kept : this.makeToken();
  }

  async makeToken(): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    this.#made = token;
    this.#usedKey = this.#key;
    await this.remember({});
    await this.#secrets.store(this.#usedKey, token);
    return token;
  }

  /** Whether another window has made a token that is not this one. */
  async isReplaced(token: string): Promise<boolean> {
    const kept = this.#usedKey === undefined ? undefined : await this.#secrets.get(this.#usedKey);
    return kept !== undefined && kept !== this.#made && kept !== token;
  }

  /**
   * Takes another id, and so another token. A window of the same workspace whose server runs with the old token
   * continues with it.
   */
  async change(): Promise<void> {
    const before = this.#key;
    await this.remember({ id: newId() });
    await this.#secrets.delete(before);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#didChangeToken.dispose();
  }

  get #key(): string {
    return `execSessions.mcpToken:${this.remembered?.id ?? this.#firstId}`;
  }
}

function newId(): string {
  return randomBytes(8).toString('hex');
}
