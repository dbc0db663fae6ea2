/** A line of the log about a problem. */
export interface Problem {
  readonly at: Date;
  readonly level: 'warning' | 'error';
  readonly text: string;
}

const MOST_PROBLEMS = 20;

/** The last warnings and errors of the log, which itself cannot be read. */
export class RecentProblems {
  readonly #problems: Problem[] = [];

  /** Oldest first. */
  get all(): readonly Problem[] {
    return this.#problems;
  }

  add(level: Problem['level'], text: string): void {
    this.#problems.push({ at: new Date(), level, text });
    if (this.#problems.length > MOST_PROBLEMS) {
      this.#problems.shift();
    }
  }
}
