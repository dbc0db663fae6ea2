/** How long after the end no key acts, in milliseconds. */
const AFTER_END_MS = 1_000;

/** How long after a key no other one acts, in milliseconds. */
const AFTER_KEY_MS = 500;

/**
 * Decides whether a key after a session's end was pressed on purpose. A person who types ahead while the program ends
 * would otherwise run it again, or close its terminal, with the rest of the line. All times are those of a monotonic
 * clock.
 */
export class EndKeys {
  #endedAt = Number.NEGATIVE_INFINITY;
  #keyAt = Number.NEGATIVE_INFINITY;

  /** The end is on the screen from `now` on. */
  ended(now: number): void {
    this.#endedAt = now;
  }

  /** Notes a key, before or after the end. Returns true if it stands alone and so may act. */
  pressed(now: number): boolean {
    const sinceKey = now - this.#keyAt;
    this.#keyAt = now;
    return now - this.#endedAt >= AFTER_END_MS && sinceKey >= AFTER_KEY_MS;
  }
}
