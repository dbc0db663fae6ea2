import path from 'node:path';

import { Alarm, type Clock, type Disposable, messageOf } from '../../core/index.js';
import { SOCKET_CHECK_MS } from '../limits.js';
import type { Accept } from './listener.js';
import { listenUnix, type UnixListener } from './listenUnix.js';

interface LastingSocketOptions {
  readonly socket: string;
  /** The folders in which clients look, in the order of preference. */
  readonly places: () => readonly string[];
  readonly clock: Clock;
  readonly accept: Accept;
  readonly log: (line: string) => void;
}

/**
 * A socket for a server that outlives its folder: a logout removes the folder of the login, and cleaners remove old
 * files. The socket is then made anew, in the first place where that is possible.
 */
export class LastingSocket implements Disposable {
  readonly #options: LastingSocketOptions;
  readonly #alarm: Alarm;
  #listener: UnixListener | undefined;
  #disposed = false;

  /** @throws StartError if it cannot listen on the socket. */
  static async listen(options: LastingSocketOptions): Promise<LastingSocket> {
    const { socket, clock, accept } = options;
    return new LastingSocket(options, await listenUnix(socket, clock, accept));
  }

  private constructor(options: LastingSocketOptions, listener: UnixListener) {
    this.#options = options;
    this.#alarm = new Alarm(options.clock);
    this.#listener = listener;
    this.#checkLater();
  }

  /** Accepts no more clients. Connections that are open stay open. */
  dispose(): void {
    this.#disposed = true;
    this.#alarm.dispose();
    this.#listener?.close();
  }

  #checkLater(): void {
    this.#alarm.set(SOCKET_CHECK_MS, () => void this.#check());
  }

  async #check(): Promise<void> {
    if (this.#listener?.isThere() !== true) {
      await this.#listenAnew();
    }
    if (this.#disposed) {
      this.#listener?.close();
    } else {
      this.#checkLater();
    }
  }

  async #listenAnew(): Promise<void> {
    const { socket, places, clock, accept, log } = this.#options;
    this.#listener?.close();
    this.#listener = undefined;
    for (const place of places()) {
      const file = path.join(place, path.basename(socket));
      try {
        this.#listener = await listenUnix(file, clock, accept);
        log(`The socket was gone. Another one is at ${file}.`);
        return;
      } catch (error) {
        log(`The socket is gone, and no other one can be at ${file}: ${messageOf(error)}.`);
      }
    }
  }
}
