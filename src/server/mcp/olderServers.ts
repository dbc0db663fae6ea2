import type { Machine, MachineOptions } from '../../machine/index.js';
import type * as machine from '../../machine/index.js';
import type { RemoteBackend } from '../../remote/index.js';

/** The session servers of other versions that run on this machine, whose sessions are used until they have ended. */
export class OlderServers {
  readonly #machine: Pick<typeof machine, 'connectTo' | 'findServers'>;
  readonly #options: MachineOptions;
  readonly #connected = new Map<string, Machine>();

  constructor(room: Pick<typeof machine, 'connectTo' | 'findServers'>, options: MachineOptions) {
    this.#machine = room;
    this.#options = options;
  }

  get connected(): readonly RemoteBackend[] {
    return [...this.#connected.values()].map(({ backend }) => backend);
  }

  /**
   * The older servers that have sessions. The connections to the others are closed, since a server stays for its
   * clients. Never rejects.
   *
   * @param own The socket of the server of this version, which is left out.
   */
  async backends(own: string | undefined): Promise<readonly RemoteBackend[]> {
    const found = await this.#machine.findServers(this.#options.env).catch(() => []);
    const others = found.filter(({ socket }) => socket !== own);
    await Promise.all(others.map((other) => this.#connect(other).catch(() => undefined)));
    await Promise.all([...this.#connected.values()].map((other) => this.#leaveIfEmpty(other)));
    return this.connected;
  }

  async #connect(found: machine.FoundServer): Promise<void> {
    if (!this.#connected.has(found.socket)) {
      const other = await this.#machine.connectTo(found, this.#options);
      if (other !== undefined) {
        this.#connected.set(found.socket, other);
      }
    }
  }

  async #leaveIfEmpty(other: Machine): Promise<void> {
    const there = await other.backend.list().catch(() => []);
    if (there.length === 0) {
      other.disconnect();
      this.#connected.delete(other.socket);
    }
  }
}
