import {
  type DescribeOptions,
  type ExecBackend,
  LastWords,
  patchedMetadata,
  type ProcessMetadata,
} from '../../core/index.js';

/** The changes of metadata that one client wants when it is gone. */
export class ClientWords {
  readonly #backend: ExecBackend;
  readonly #words = new Map<string, LastWords>();

  constructor(backend: ExecBackend) {
    this.#backend = backend;
  }

  /**
   * The changes that the client wants for a process with this handle after a description. They are to be {@link set}
   * once the description has been made.
   *
   * @throws ExecError `metadataTooLarge`
   */
  with(handle: string, patch: ProcessMetadata, options: DescribeOptions): LastWords {
    const words = (this.#words.get(handle) ?? LastWords.none).and(patch, options);
    const all: Record<string, unknown> = {};
    words.at(0).forEach((said) => Object.assign(all, said.patch));
    patchedMetadata(handle, {}, all);
    return words;
  }

  set(handle: string, words: LastWords): void {
    if (words.isEmpty) {
      this.forget(handle);
    } else {
      this.#words.set(handle, words);
    }
  }

  /** Forgets a process that the backend has forgotten. */
  forget(handle: string): void {
    this.#words.delete(handle);
  }

  /**
   * Makes all changes, once.
   *
   * @param time The time at which the client has gone, in milliseconds since 1970.
   */
  say(time: number): void {
    for (const [handle, words] of this.#words) {
      // A process that has been forgotten needs none.
      void this.#describe(handle, words, time).catch(() => undefined);
    }
    this.#words.clear();
  }

  async #describe(handle: string, words: LastWords, time: number): Promise<void> {
    const process = await this.#backend.attach(handle);
    process.release();
    for (const { patch, options } of words.at(time)) {
      await process.describe(patch, options);
    }
  }
}
