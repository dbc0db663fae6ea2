/**
 * Ctrl-\ in the two forms of terminals: the usual one, and that for programs that asked for the keyboard protocol of
 * kitty.
 */
const FORMS = ['\u001c', '\u001b[92;5u'] as const;

/**
 * Finds Ctrl-\ pressed twice in typed text. A single one, which programs take for a quit, is held back until the next
 * key, or until {@link release}.
 */
export class DetachKeys {
  #held = '';

  /** Whether one is held back. */
  get holds(): boolean {
    return this.#held !== '';
  }

  /**
   * @param typed The typed text, a character for each byte.
   * @returns the text to send on, and whether the two were in it; the text after them is not sent.
   */
  take(typed: string): { readonly send: string; readonly detach: boolean } {
    let send = '';
    for (let rest = typed; rest !== '';) {
      const form = FORMS.find((one) => rest.startsWith(one));
      if (form === undefined) {
        send += this.release() + rest.charAt(0);
        rest = rest.slice(1);
      } else if (this.#held === '') {
        this.#held = form;
        rest = rest.slice(form.length);
      } else {
        this.#held = '';
        return { send, detach: true };
      }
    }
    return { send, detach: false };
  }

  /** Returns the key that was held back: no second one follows. */
  release(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }
}
