import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import type { StdioOptions } from 'node:child_process';

type Stdio = Exclude<StdioOptions, string>[number];

/**
 * The open terminal masters of this process. node-pty does not mark them close-on-exec, and Node cannot. Every child of
 * `child_process` would therefore inherit them: it could read and type there, and would keep the terminals alive after
 * this process. Children of node-pty itself close most of what they inherit, see `withoutHoles`.
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
   * The `stdio` of a new child, in which the null device takes the place of every master. The value `'ignore'` is not
   * enough: from descriptor 3 on it leaves the descriptor open.
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

  /**
   * Calls `fork`, which starts a child of node-pty, while every descriptor up to the last master is open. The binaries
   * of node-pty for Linux are built without `close_range`. Their child closes its descriptors one by one, and stops at
   * the first one from 16 on that is not open: https://github.com/microsoft/node-pty/blob/main/src/unix/pty.cc
   * (pty_close_inherited_fds)
   */
  withoutHoles<T>(fork: () => T): T {
    const filling = this.#fillHoles();
    try {
      return fork();
    } finally {
      filling.forEach((descriptor) => closeSync(descriptor));
    }
  }

  #fillHoles(): readonly number[] {
    const filling: number[] = [];
    const last = Math.max(...this.#masters);
    try {
      // The system gives the lowest free descriptor each time.
      for (let descriptor = -1; descriptor < last;) {
        descriptor = openSync(devNull, 'r');
        filling.push(descriptor);
      }
    } catch {
      // All descriptors that this process may have are open, so there is no hole left.
    }
    return filling;
  }
}
