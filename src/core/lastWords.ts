import { type ProcessMetadata } from './metadata.js';
import type { DescribeOptions } from './execBackend.js';

/** A key of the metadata as a client has described it, and what becomes of it when that client is gone. */
interface Key {
  readonly name: string;
  readonly now: unknown;
  readonly then: { readonly value: unknown } | 'time';
  /** What another client must not have described differently meanwhile. */
  readonly provided: ProcessMetadata | undefined;
}

/** A description of some keys, as {@link ExecProcess.describe} takes it. */
export interface Description {
  readonly patch: ProcessMetadata;
  readonly options: DescribeOptions;
}

/** What one client wants of the metadata of one process when it is gone. */
export class LastWords {
  static readonly none = new LastWords([]);
  readonly #keys: readonly Key[];

  private constructor(keys: readonly Key[]) {
    this.#keys = keys;
  }

  /** With a description, which takes the place of what was said of the same keys before. */
  and(patch: ProcessMetadata, { whenGone, provided }: DescribeOptions = {}): LastWords {
    const { patch: then = {}, timeKey } = whenGone ?? {};
    const said = new Map<string, Key['then']>(
      Object.entries(then).map(([name, value]) => [name, { value }] as const),
    );
    if (timeKey !== undefined) {
      said.set(timeKey, 'time');
    }
    return new LastWords([
      ...this.#keys.filter(({ name }) => !Object.hasOwn(patch, name) && !said.has(name)),
      ...[...said].map(([name, what]) => ({ name, now: patch[name] ?? null, then: what, provided })),
    ]);
  }

  get isEmpty(): boolean {
    return this.#keys.length === 0;
  }

  /** @param time The time at which the client has gone, in milliseconds since 1970. */
  at(time: number): readonly Description[] {
    return this.#keys.map(({ name, then, provided }) => ({
      patch: { [name]: then === 'time' ? time : then.value },
      options: { provided },
    }));
  }

  /** What makes all of it hold again once it has been done, because the client is back. */
  again(): readonly Description[] {
    return this.#keys.map(({ name, now, then, provided }) => ({
      patch: { [name]: now },
      options: {
        whenGone: then === 'time' ? { timeKey: name } : { patch: { [name]: then.value } },
        provided,
      },
    }));
  }
}
