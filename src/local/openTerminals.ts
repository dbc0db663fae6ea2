import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import type { StdioOptions } from 'node:child_process';

type Stdio = Exclude<StdioOptions, string>[number];

/**
 * The open terminal masters of this process. node-pty does not mark them close-on-exec, and Node cannot, so every child
 * that `child_process` starts would inherit them: it could read and type there, and would keep the terminals alive
 * after this process. (Children of node-pty itself close what they inherit.)
 */
export class OpenTerminals {
  readonly #masters = new Set<number>();
  #devNull: number | undefined;

  add(master: number): void {
    this.#masters.add(master);
  }

  delete(master: number): void {
    this.#masters.delete(master);
    if (this.#masters.size === 0 && this.#devNull !== undefined) {
      closeSync(this.#devNull);
      this.#devNull = undefined;
    }
  }

  /**
   * The `stdio` of a new child, in which the null device takes the place of every master. `'ignore'` would not do: from
   * descriptor 3 on it leaves what is there.
   */
  shield(stdio: readonly Stdio[]): Stdio[] {
    const shielded = [...stdio];
    for (const master of this.#masters) {
      while (shielded.length < master) {
        shielded.push('ignore');
      }
      shielded[master] = this.#devNull ??= openSync(devNull, 'r+');
    }
    return shielded;
  }
}
