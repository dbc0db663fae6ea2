import type { SecretStorage } from 'vscode';

import type { EnvironmentDefinition } from '../../sessions/list/index.js';

/** The part of VS Code's secret storage that is used here. */
export type Secrets = Pick<SecretStorage, 'get' | 'store' | 'delete' | 'onDidChange'>;

/**
 * The tokens of environments. Each belongs to an id and an address together. A workspace can change the address in the
 * settings; the new address does not get the token.
 */
export class EnvironmentTokens {
  readonly #secrets: Secrets;

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  async get(definition: EnvironmentDefinition): Promise<string | undefined> {
    const key = keyOf(definition);
    return key === undefined ? undefined : this.#secrets.get(key);
  }

  /** Stores a token; an empty one removes the stored token. */
  async set(definition: EnvironmentDefinition, token: string): Promise<void> {
    const key = keyOf(definition);
    if (key !== undefined) {
      await (token === '' ? this.#secrets.delete(key) : this.#secrets.store(key, token));
    }
  }
}

/** The key of an environment's token. A program has no token, since it finds its credentials itself. */
function keyOf(definition: EnvironmentDefinition): string | undefined {
  return definition.kind === 'websocket'
    ? `execSessions.token:${definition.id} ${definition.url}`
    : undefined;
}
