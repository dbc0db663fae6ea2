/** What the bodies of one connection have under way, so that a client that takes nothing costs a bounded memory. */
export class SendWindow {
  readonly #bytes: number;
  readonly #waiting = new Set<() => void>();
  #underWay = 0;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /**
   * Waits for room and takes it, if only for a part of what is to be sent.
   *
   * @param signal Ends the waiting.
   * @returns what to call once these bytes have left.
   */
  async enter(bytes: number, signal: AbortSignal): Promise<() => void> {
    while (this.#underWay >= this.#bytes && !signal.aborted) {
      await this.#change(signal);
    }
    signal.throwIfAborted();
    this.#underWay += bytes;
    return () => {
      this.#underWay -= bytes;
      this.#waiting.forEach((lookAgain) => lookAgain());
    };
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#waiting.add(done);
      signal.addEventListener('abort', done);
    });
  }
}
