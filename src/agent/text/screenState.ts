import type { Sequence } from './sequence.js';

/**
 * Whether a terminal shows text as it does after a reset. It is judged by the sequences that set a state; others are
 * ignored.
 */
export class ScreenState {
  readonly #changed = new Set<string>();

  get clean(): boolean {
    return this.#changed.size === 0;
  }

  sequence({ raw }: Sequence): void {
    const region = /^\u001b\[([0-9;]*)r$/.exec(raw);
    if (region !== null) {
      this.#set('region', !/^[01]?;?$/.test(region[1] ?? ''));
      return;
    }
    const mode = /^\u001b\[(\??)([0-9;]*)([hl])$/.exec(raw);
    if (mode !== null) {
      for (const number of (mode[2] ?? '').split(';')) {
        this.#mode(`${mode[1]}${number}`, mode[3] === 'h');
      }
      return;
    }
    const charset = /^\u001b([()*+])(.)$/.exec(raw);
    if (charset !== null) {
      this.#set(`charset ${charset[1]}`, charset[2] !== 'B');
    } else if (raw === '\u001b[!p') {
      this.#changed.clear();
    }
  }

  /** Takes shift out (U+000E) or shift in (U+000F). */
  control(character: string): void {
    this.#set('shift', character === '\u000e');
  }

  reset(): void {
    this.#changed.clear();
  }

  #mode(mode: string, on: boolean): void {
    // Wrapping is on at the start, the others are off. Saving the cursor changes nothing yet.
    if (mode !== '?1048') {
      this.#set(`mode ${mode}`, mode === '?7' ? !on : on);
    }
  }

  #set(what: string, changed: boolean): void {
    if (changed) {
      this.#changed.add(what);
    } else {
      this.#changed.delete(what);
    }
  }
}
