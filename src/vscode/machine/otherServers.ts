import type * as vscode from 'vscode';

import { type ExecBackend, oneLine } from '../../core/index.js';
import type { FoundServer, Machine } from '../../machine/index.js';
import { errorText } from '../userError.js';

interface OtherServersOptions {
  /** Resolves with undefined if no server listens there any more. */
  readonly connect: (found: FoundServer) => Promise<Machine | undefined>;
  /** Called with each new connection. */
  readonly connected: (backend: ExecBackend) => void;
  readonly log: vscode.LogOutputChannel;
}

/** The session servers of other versions, which are used for the sessions that they have. */
export class OtherServers {
  readonly #options: OtherServersOptions;
  /** By their sockets. */
  readonly #connected = new Map<string, Machine>();

  constructor(options: OtherServersOptions) {
    this.#options = options;
  }

  get all(): readonly Machine[] {
    return [...this.#connected.values()];
  }

  /** Connects to those that are new. Never rejects. */
  async connect(servers: readonly FoundServer[]): Promise<void> {
    const unknown = servers.filter(({ socket }) => !this.#connected.has(socket));
    await Promise.all(unknown.map((found) => this.#connectTo(found)));
  }

  disconnect(): void {
    this.#connected.forEach((server) => server.disconnect());
  }

  async #connectTo(found: FoundServer): Promise<void> {
    const { connect, connected, log } = this.#options;
    try {
      const server = await connect(found);
      if (server !== undefined) {
        this.#follow(server);
        connected(server.backend);
      }
    } catch (error) {
      log.warn(`A session server of another version cannot be reached: ${oneLine(errorText(error))}`);
    }
  }

  #follow(server: Machine): void {
    const { socket, backend } = server;
    this.#connected.set(socket, server);
    backend.onDidChangeConnection(({ kind }) => {
      if (kind === 'lost') {
        this.#connected.delete(socket);
      }
    });
  }
}
