import { Alarm, delay, isExecError, type LossReason, messageOf } from '../../core/index.js';
import { openWire, type OpenWire, refusalOf, type Refusal, type WireOptions } from './openWire.js';

export interface RecoveryOptions {
  /** The time for attempts to resume; with 0 the session is lost as soon as its connection ends. */
  readonly limitMs: number;
  /** The same for a connection that has only fallen silent, and may come back. */
  readonly silentLimitMs: number;
  readonly firstRetryMs: number;
  readonly lastRetryMs: number;
  /** Whether the server is a session server: one that takes no connection at its address has ended. */
  readonly ofSessionServer: boolean;
}

/** The outcome of a recovery: another connection, or the reason why there is no other one. */
type RecoveryOutcome =
  | { readonly kind: 'resumed'; readonly open: OpenWire }
  | { readonly kind: 'lost'; readonly reason: LossReason };

/**
 * Attempts to resume a connection session on another connection, after the last one has ended or fallen silent. A
 * silent connection may come back, so it is kept until another one replaces it. If the server speaks on the pipes of
 * its command, the session ends with the connection, and each attempt finds a new server.
 */
export class Recovery {
  readonly #wire: WireOptions;
  readonly #recovery: RecoveryOptions;
  readonly #ended: string;
  readonly #over = new AbortController();
  #hasLine: boolean;
  /** Runs out when the attempts end. */
  readonly #limit: Alarm;
  #limitMs: number;
  #refusal: Refusal | undefined;
  #stopped = false;
  /** Whether nothing listened at the last attempt. */
  #refused = false;

  /**
   * @param options.ended The transport's text for the end of the connection, or for its silence.
   * @param options.hasLine Whether the connection still exists, but is silent.
   */
  constructor(options: {
    readonly wire: WireOptions;
    readonly recovery: RecoveryOptions;
    readonly ended: string;
    readonly hasLine: boolean;
  }) {
    this.#wire = { ...options.wire, again: true };
    this.#recovery = options.recovery;
    this.#ended = options.ended;
    this.#hasLine = options.hasLine;
    this.#limit = new Alarm(options.wire.clock);
    this.#limitMs = options.hasLine ? options.recovery.silentLimitMs : options.recovery.limitMs;
  }

  /** Called when the silent connection has ended. */
  lineEnded(): void {
    this.#hasLine = false;
    this.#begin(this.#recovery.limitMs);
    if (this.#refusal !== undefined) {
      this.#over.abort();
    }
  }

  /** Ends the attempts, since no other connection is needed any more. */
  stop(): void {
    this.#stopped = true;
    this.#over.abort();
  }

  /**
   * @param firstWaitMs The time before the first attempt.
   * @returns undefined after {@link stop}.
   */
  async run(sessionId: string, firstWaitMs: number): Promise<RecoveryOutcome | undefined> {
    const { clock } = this.#wire;
    const { firstRetryMs, lastRetryMs } = this.#recovery;
    const { signal } = this.#over;
    this.#begin(this.#limitMs);
    let lastAttempt: string | undefined;
    let retryMs = firstRetryMs;
    if (firstWaitMs > 0) {
      await delay(clock, firstWaitMs, signal);
    }
    while (!isAborted(signal)) {
      const since = clock.now();
      try {
        const open = await openWire(this.#wire, sessionId, signal);
        this.#limit.dispose();
        return { kind: 'resumed', open };
      } catch (error) {
        const failed = isAborted(signal) ? undefined : this.#failed(error);
        lastAttempt = failed ?? lastAttempt;
      }
      // An attempt that took long has been wait enough. Without another server to try, only the silent line is left.
      const waitMs = Math.max(retryMs - (clock.now() - since), firstRetryMs);
      await delay(clock, this.#refusal === undefined ? waitMs : this.#limitMs, signal);
      retryMs = Math.min(retryMs * 2, lastRetryMs);
    }
    this.#limit.dispose();
    return this.#stopped ? undefined : { kind: 'lost', reason: this.#lossAfter(lastAttempt) };
  }

  #begin(limitMs: number): void {
    this.#limitMs = limitMs;
    this.#limit.set(limitMs, () => this.#over.abort());
  }

  /** @returns the reason why an attempt failed, if another one is worthwhile. */
  #failed(error: unknown): string | undefined {
    this.#refusal = refusalOf(error);
    this.#refused = isExecError(error) && error.failure.kind === 'connectionRefused';
    if (this.#refusal === undefined) {
      const why = messageOf(error);
      this.#wire.log(`Not connected to ${this.#wire.connector.label} again yet (${why})`);
      return why;
    }
    if (!this.#hasLine || this.#refusal.kind === 'gone') {
      this.#over.abort();
    }
    return undefined;
  }

  #lossAfter(lastAttempt: string | undefined): LossReason {
    const ended = this.#ended;
    const refusal = this.#refusal;
    if (refusal?.kind === 'gone') {
      return refusal;
    }
    if (this.#refused && this.#recovery.ofSessionServer) {
      return { kind: 'sessionServerGone', ended };
    }
    return refusal !== undefined && !this.#hasLine
      ? { ...refusal, ended }
      : { kind: 'timedOut', ended, seconds: this.#limitMs / 1_000, lastAttempt };
  }
}

/** A function, since the compiler assumes that a member stays unchanged across an await. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
