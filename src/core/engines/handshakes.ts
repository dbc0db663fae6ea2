import { isExecError } from '../errors.js';
import { Semaphore } from '../semaphore.js';

/** An sshd with the usual MaxStartups drops some connections from the tenth on that has not logged in. */
const AT_ONCE = 8;

/** The words of ssh when an sshd drops a connection before the login. */
const DROPPED = /kex_exchange_identification|Connection (?:reset|closed) by|closed by remote host/;

/** Makes connections, a few at a time. One that an sshd drops is tried once more. */
export class Handshakes {
  readonly #room = new Semaphore(AT_ONCE);

  /** @throws what `connect` throws. */
  async connect<T>(connect: () => Promise<T>): Promise<T> {
    try {
      return await this.#room.run(connect);
    } catch (error) {
      if (isExecError(error) && error.failure.kind === 'serverCommandEnded' && DROPPED.test(error.message)) {
        return this.#room.run(connect);
      }
      throw error;
    }
  }
}
