import { accessSync, constants } from 'node:fs';

import type { Kin } from './lineage.js';
import { PortListeners, type PortViewer } from './portListeners.js';
import { SocketHistory } from './socketHistory.js';
import { isReachable } from './tryConnection.js';

/** The TCP ports of this machine, as one backend sees them. */
export class LocalPorts {
  readonly #history = new SocketHistory();
  readonly #processOf: (lineage: readonly Kin[]) => string | undefined;

  constructor(processOf: (lineage: readonly Kin[]) => string | undefined) {
    this.#processOf = processOf;
  }

  /** Whether this system can name listeners: Linux can, if `/proc` is there. */
  static get areListed(): boolean {
    try {
      accessSync('/proc/net/tcp', constants.R_OK);
      return process.platform === 'linux';
    } catch {
      return false;
    }
  }

  /**
   * Takes note of the sockets that listen at the start of a process. The start does not wait for it: the list is
   * usually there before a child can listen.
   *
   * @returns the number of the look; undefined if it could not be had. Never rejects.
   */
  async lookAtStart(): Promise<number | undefined> {
    return LocalPorts.areListed
      ? this.#history.look().then(
          ({ number }) => number,
          () => undefined,
        )
      : undefined;
  }

  /** @param atStart The result of {@link lookAtStart}, called when the viewer was started. */
  listenersFor(viewer: PortViewer, atStart: Promise<number | undefined>): PortListeners {
    return new PortListeners({ history: this.#history, viewer, atStart, processOf: this.#processOf });
  }

  /** Whether anything listens at a port of this machine. A connection is tried only if listeners cannot be listed. */
  async isListening(port: number): Promise<boolean> {
    const sockets = LocalPorts.areListed ? (await this.#history.look()).sockets : undefined;
    return sockets?.some((socket) => socket.port === port) ?? isReachable(port);
  }
}
