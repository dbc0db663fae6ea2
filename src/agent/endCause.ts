import type { ExitStatus } from '../core/index.js';

/** What somebody did to a session while it ran. */
type Cause =
  | { readonly kind: 'stop'; readonly who: string }
  | { readonly kind: 'signal'; readonly signal: string; readonly who: string };

/**
 * Who has ended a session, as far as that is known: the last one who did something that could. A session that ended by
 * itself has no cause.
 */
export class EndCause {
  #last: Cause | undefined;

  /** Somebody begins to stop it, while it runs. */
  stopping(who: string): void {
    this.#last = { kind: 'stop', who };
  }

  /** The stop was over, and it still ran: whatever ends it later was not that. */
  stopFailed(): void {
    this.#last = undefined;
  }

  /** Somebody has sent it a signal, while it ran. */
  signalled(signal: string, who: string): void {
    this.#last = { kind: 'signal', signal, who };
  }

  /** The cause of this exit in words; undefined if nobody is known to have ended it. */
  textOf(exit: ExitStatus): string | undefined {
    switch (this.#last?.kind) {
      case undefined:
        return undefined;
      case 'stop':
        return `stopped by ${this.#last.who}`;
      case 'signal':
        // Another signal, or none, means that the program lived through this one.
        return exit.signal === this.#last.signal ? `sent by ${this.#last.who}` : undefined;
    }
  }
}
