import { restingAnswer } from '../sharedAnswer.js';
import { type ListeningSocket, listeningSockets } from './listeningSockets.js';

/** One look at all sockets that listen. */
interface SocketLook {
  /** Looks are counted: a later one has a higher number. */
  readonly number: number;
  readonly sockets: readonly ListeningSocket[];
}

/** A list is read page by page, so a socket may be missing from one although it listens. */
const KEPT_LOOKS = 8;

/**
 * Remembers which sockets listened when. Linux does not tell since when a socket listens, so the backend looks at each
 * start of a process. A socket that listens now and did not listen then began after that start.
 */
export class SocketHistory {
  readonly #shared = restingAnswer(() => this.#look());
  readonly #list: () => Promise<readonly ListeningSocket[]>;
  /** By inode: the numbers of the first and the last look that found it. */
  readonly #seen = new Map<number, { readonly first: number; readonly last: number }>();
  #looks = 0;

  constructor(list: () => Promise<readonly ListeningSocket[]> = listeningSockets) {
    this.#list = list;
  }

  /**
   * Looks at the sockets as they are now or a moment later. Calls at the same time share one look.
   *
   * @throws Error if they cannot be listed.
   */
  look(): Promise<SocketLook> {
    return this.#shared.get();
  }

  /** Whether no look up to this one has found the socket. */
  isLater({ inode }: ListeningSocket, than: number): boolean {
    return (this.#seen.get(inode)?.first ?? Infinity) > than;
  }

  async #look(): Promise<SocketLook> {
    const sockets = await this.#list();
    const number = (this.#looks += 1);
    for (const { inode } of sockets) {
      this.#seen.set(inode, { first: this.#seen.get(inode)?.first ?? number, last: number });
    }
    for (const [inode, { last }] of this.#seen) {
      if (last < number - KEPT_LOOKS) {
        this.#seen.delete(inode);
      }
    }
    return { number, sockets };
  }
}
