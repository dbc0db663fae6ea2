/**
 * Cuts a value of a message to at most `characters` characters of text, names of members included. The text that
 * exceeds them is cut, and everything after it is left out. Numbers and the like count as many characters as they are
 * written with; an object or a list counts one more. Null replaces values that are nested too deeply.
 */
export function cutTexts(value: unknown, characters: number): unknown {
  return new Cutter(characters).cut(value, 0);
}

const DEEPEST = 32;

class Cutter {
  #left: number;

  constructor(characters: number) {
    this.#left = characters;
  }

  cut(value: unknown, depth: number): unknown {
    if (typeof value === 'string') {
      return this.#text(value);
    }
    if (typeof value !== 'object' || value === null) {
      this.#left -= String(value).length;
      return value;
    }
    this.#left -= 1;
    if (depth === DEEPEST) {
      return null;
    }
    if (Array.isArray(value)) {
      return [...this.#whileRoom<unknown, unknown>(value, (item) => this.cut(item, depth + 1))];
    }
    return Object.fromEntries(
      this.#whileRoom(
        Object.entries(value),
        ([name, member]) => [this.#text(name), this.cut(member, depth + 1)] as const,
      ),
    );
  }

  *#whileRoom<T, R>(items: readonly T[], cut: (item: T) => R): Generator<R> {
    for (const item of items) {
      if (this.#left <= 0) {
        return;
      }
      yield cut(item);
    }
  }

  #text(text: string): string {
    const kept = text.length <= this.#left ? text : text.slice(0, Math.max(0, this.#left));
    this.#left -= text.length;
    return kept;
  }
}
