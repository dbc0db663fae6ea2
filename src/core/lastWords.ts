import type { ProcessMetadata, WhenGone } from './execBackend.js';

/** A key of the metadata as a client has described it, and what becomes of it when that client is gone. */
type Key =
  | { readonly now: unknown; readonly then: 'patch'; readonly value: unknown }
  | { readonly now: unknown; readonly then: 'time' };

/** What one client wants of the metadata of one process when it is gone. */
export class LastWords {
  static readonly none = new LastWords(new Map());
  readonly #keys: ReadonlyMap<string, Key>;

  private constructor(keys: ReadonlyMap<string, Key>) {
    this.#keys = keys;
  }

  /** With a description, which takes the place of what was said of the same keys before. */
  and(patch: ProcessMetadata, { patch: then = {}, timeKey }: WhenGone = {}): LastWords {
    const keys = new Map(this.#keys);
    Object.keys(patch).forEach((key) => keys.delete(key));
    for (const [key, value] of Object.entries(then)) {
      keys.set(key, { now: patch[key] ?? null, then: 'patch', value });
    }
    if (timeKey !== undefined) {
      keys.set(timeKey, { now: patch[timeKey] ?? null, then: 'time' });
    }
    return new LastWords(keys);
  }

  get isEmpty(): boolean {
    return this.#keys.size === 0;
  }

  /** @param time The time at which the client has gone, in milliseconds since 1970. */
  patchAt(time: number): ProcessMetadata {
    return this.#each((key) => (key.then === 'time' ? time : key.value));
  }

  /** What makes all of it hold again once it has been done, because the client is back. */
  again(): { readonly patch: ProcessMetadata; readonly whenGone: WhenGone } {
    const patch = Object.fromEntries(
      [...this.#keys].flatMap(([name, key]) => (key.then === 'patch' ? [[name, key.value]] : [])),
    );
    const timeKey = [...this.#keys].find(([, { then }]) => then === 'time')?.[0];
    return {
      patch: this.#each(({ now }) => now),
      whenGone: { patch, ...(timeKey !== undefined && { timeKey }) },
    };
  }

  #each(valueOf: (key: Key) => unknown): ProcessMetadata {
    return Object.fromEntries([...this.#keys].map(([name, key]) => [name, valueOf(key)]));
  }
}
