/** So many names can be on their way at most. A program may give its terminal any number of them between two looks. */
const MOST_SENT = 100;

/**
 * Tells a name that a person has given a terminal from those that it got from us. VS Code has no event for either; it
 * only shows the name of now. Ours come back some time after they were sent, and some may never be seen.
 */
export class TabName {
  /** The names that were sent and may still come back, the newest last. */
  #sent: string[];
  #seen: string;

  /** @param initial The name from the terminal's creation. */
  constructor(initial: string) {
    this.#sent = [initial];
    this.#seen = initial;
  }

  /** We have given the terminal this name. */
  sent(name: string): void {
    this.#sent = [...this.#sent.slice(1 - MOST_SENT), name];
  }

  /**
   * Looks at the name of now.
   *
   * @returns the name that a person has given it, without our mark of the end, if it is a new one; empty if the person
   *   has removed it.
   */
  look(name: string): string | undefined {
    if (name === this.#seen) {
      return undefined;
    }
    this.#seen = name;
    if (this.#sent.at(-1) === name) {
      this.#sent = [name];
      return undefined;
    }
    return this.#sent.some((one) => one === name || processName(one) === name)
      ? undefined
      : name.replace(/^[✓✗■] /u, '').trim();
  }
}

/** The name that VS Code up to 1.100 makes of ours after it has told it: it takes it for that of a process. */
function processName(name: string): string {
  return (name.startsWith('/') ? name.split('/').at(-1) : name.split(' ')[0]) ?? name;
}
