import type { ProcessMetadata } from '../metadata.js';
import type { DescribeOptions } from './execBackend.js';

/** A metadata key as a client has described it, and the change to make when that client has gone. */
interface Key {
  readonly name: string;
  readonly now: unknown;
  readonly then: { readonly value: unknown } | 'time';
  /** Values that another client must not have changed meanwhile. */
  readonly provided: ProcessMetadata | undefined;
}

/** A description of some keys, as {@link ExecProcess.describe} takes it. */
export interface Description {
  readonly patch: ProcessMetadata;
  readonly options: DescribeOptions;
}

/** The changes that one client wants for the metadata of one process when it has gone. */
export class LastWords {
  static readonly none = new LastWords([]);
  readonly #keys: readonly Key[];

  private constructor(keys: readonly Key[]) {
    this.#keys = keys;
  }

  /** Adds a description. It replaces earlier ones of the same keys. */
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

  /**
   * The changes to make.
   *
   * @param time The time at which the client has gone, in milliseconds since 1970.
   */
  at(time: number): readonly Description[] {
    return this.#keys.map(({ name, then, provided }) => ({
      patch: { [name]: then === 'time' ? time : then.value },
      options: { provided },
    }));
  }

  /** The descriptions that undo those changes, for a client that is back. */
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
