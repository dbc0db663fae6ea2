import type { LogLimits } from './chunkRing.js';
import { systemClock, type Clock } from '../clock.js';
import { ExecError } from '../errors.js';
import { Emitter, type Event } from '../events.js';
import type {
  ExecEvent,
  ExitStatus,
  OutputChunk,
  OutputStream,
  ReadOptions,
  ReadResponse,
} from '../process/execEvents.js';
import type { TerminalSize } from '../process/terminalSize.js';
import type { ExecFailure } from '../failures/index.js';
import { LogRecord, type LogStats } from './logRecord.js';
import type { ModesReader } from './terminalHistory.js';
import {
  type LogPosition,
  LogSubscription,
  shouldPause,
  STALL_MS,
  type SubscribeOptions,
  type Subscription,
} from './logSubscription.js';

export const DEFAULT_LOG_LIMITS: LogLimits = { bytes: 1024 * 1024, chunks: 50_000 };

/**
 * Everything that one process wrote, in order. One counter, from 1, numbers each output chunk, the exit and the close.
 * The newest output is retained up to a bound. Evicted output is counted, and the answer to a reader that asks for it
 * says so.
 *
 * Only the owner, the backend, writes. A reader with a cursor ({@link read}) never holds the process back; a subscriber
 * with a window ({@link subscribe}) may.
 */
export class ProcessLog {
  readonly #clock: Clock;
  readonly #record: LogRecord;
  readonly #wake = new Emitter<number>();
  readonly #flow = new Emitter<boolean>();
  readonly #awaited = new Emitter<boolean>();
  readonly #fetch: () => void;
  readonly #subscriptions = new Set<LogSubscription>();
  readonly #waitingReads = new Set<() => void>();
  #paused = false;
  #fetching = false;
  #wasAwaited = false;

  constructor(
    options: {
      limits?: LogLimits | undefined;
      clock?: Clock | undefined;
      /** Appends the output that the process has written so far; called before a read. */
      fetch?: (() => void) | undefined;
      /** Follows the modes of its terminal; absent for a process without a terminal. */
      modes?: ModesReader | undefined;
    } = {},
  ) {
    this.#clock = options.clock ?? systemClock;
    this.#record = new LogRecord(options.limits ?? DEFAULT_LOG_LIMITS, options.modes);
    this.#fetch = options.fetch ?? (() => undefined);
  }

  /** Fires after each change with the highest number so far, and after a failure, which has no number. */
  get onWake(): Event<number> {
    return this.#wake.event;
  }

  /** Fires with true when the process should pause its output, and with false when it may continue. */
  get onFlow(): Event<boolean> {
    return this.#flow.event;
  }

  /** The last value of {@link onFlow}. */
  get paused(): boolean {
    return this.#paused;
  }

  /** Fires with true when the first reader begins to wait for output, and with false when no reader waits any more. */
  get onAwaited(): Event<boolean> {
    return this.#awaited.event;
  }

  /** The last value of {@link onAwaited}: whether there is a subscriber, or a read that waits. */
  get awaited(): boolean {
    return this.#waitingReads.size > 0 || [...this.#subscriptions].some(({ passive }) => !passive);
  }

  get exit(): ExitStatus | undefined {
    return this.#record.exit;
  }

  get closed(): boolean {
    return this.#record.closed;
  }

  get failure(): ExecFailure | undefined {
    return this.#record.failure;
  }

  /** Whether nothing can follow any more. */
  get ended(): boolean {
    return this.#record.ended;
  }

  /** The highest number given so far; 0 before the first. */
  get lastSeq(): number {
    return this.#record.lastSeq;
  }

  get stats(): LogStats {
    return this.#record.stats;
  }

  /** The output that is retained now. */
  get retained(): readonly OutputChunk[] {
    return this.#readNow({}).chunks;
  }

  /** Bytes of memory that the retained output holds. */
  get allocatedBytes(): number {
    return this.#record.allocatedBytes;
  }

  /**
   * Appends one chunk of output; an empty one is ignored. Subscribers may get `bytes` itself, so the caller must not
   * change it afterwards unless it is only lent.
   *
   * @param lent Whether `bytes` may be overwritten as soon as this method has returned. Subscribers that keep their
   *   bytes get a copy then.
   * @throws Error after the close or a failure.
   */
  appendOutput(stream: OutputStream, bytes: Uint8Array, lent = false): void {
    if (bytes.byteLength === 0) {
      return;
    }
    const before = this.#record.end;
    this.#announce(this.#record.addOutput(stream, bytes), before, { lent });
  }

  /** Notes the size of the terminal; output that is appended later was written for it. */
  resized(size: TerminalSize): void {
    this.#record.resized(size);
  }

  /**
   * Marks the numbers up to `throughSeq` as output that will never reach this log; the next event has a higher number.
   * For a log that follows another one. Does nothing if the log has already got that far.
   *
   * @param bytes The size of that output, if known.
   * @param modes The modes in force after it, if known; see `GapEvent`.
   * @throws Error after the close or a failure.
   */
  appendMissing(throughSeq: number, bytes?: number, modes?: string): void {
    if (throughSeq <= this.#record.lastSeq) {
      return;
    }
    const before = this.#record.end;
    this.#announce(this.#record.addMissing(throughSeq, bytes, modes), before);
  }

  /** @throws Error if the process has exited before, or after a failure. */
  appendExit(status: ExitStatus): void {
    const before = this.#record.end;
    this.#announce(this.#record.addExit(status), before);
  }

  /** @throws Error before the exit, if it was closed before, or after a failure. */
  appendClose(): void {
    const before = this.#record.end;
    this.#announce(this.#record.addClose(), before);
  }

  /** Ends the log because its process can never be reached again. Does nothing once the log has ended. */
  fail(failure: ExecFailure): void {
    if (this.ended) {
      return;
    }
    const before = this.#record.end;
    const { event, behind } = this.#record.fail(failure);
    this.#announce(event, before, { behind });
  }

  /** @throws ExecError if the process can never be reached again. */
  throwIfFailed(): void {
    if (this.failure !== undefined) {
      throw new ExecError(this.failure);
    }
  }

  /** Appends the output that the process has written so far, if it was left to wait because no reader asked for it. */
  fetch(): void {
    // A reader that gets that output may fetch again.
    if (!this.#fetching && !this.ended) {
      this.#fetching = true;
      try {
        this.#fetch();
      } finally {
        this.#fetching = false;
      }
    }
  }

  /** Evicts the oldest output until at most `bytes` are retained, and counts it. */
  evictTo(bytes: number): void {
    this.#record.evictTo(bytes);
  }

  /**
   * Reads the output that is retained after a number. It answers at once if there is such output, if the log has ended,
   * or if the process has exited with a number above `afterSeq`. Otherwise it waits up to `waitMs` for one of these.
   *
   * Without `maxBytes`, `nextSeq` is the next number of the log; with it, the number after the last chunk of the
   * answer.
   *
   * @param signal Ends the wait; the answer then has the output that is retained by then.
   */
  read(options: ReadOptions = {}, signal?: AbortSignal): Promise<ReadResponse> {
    this.fetch();
    const first = this.#readNow(options);
    const waitMs = options.waitMs ?? 0;
    if (
      waitMs <= 0 ||
      signal?.aborted === true ||
      this.#worthAnswering(first, wholeNumber(options.afterSeq))
    ) {
      return Promise.resolve(first);
    }
    return new Promise((resolve) => {
      const finish = (answer: ReadResponse) => {
        timer.dispose();
        signal?.removeEventListener('abort', giveUp);
        this.#waitingReads.delete(lookAgain);
        this.#updateAwaited();
        resolve(answer);
      };
      const giveUp = () => finish(this.#readNow(options));
      const lookAgain = () => {
        const answer = this.#readNow(options);
        if (this.#worthAnswering(answer, wholeNumber(options.afterSeq))) {
          finish(answer);
        }
      };
      const timer = this.#clock.after(waitMs, giveUp);
      signal?.addEventListener('abort', giveUp);
      this.#waitingReads.add(lookAgain);
      this.#updateAwaited();
    });
  }

  /**
   * Delivers the retained output and then new events, in order: each number exactly once, or inside a gap event. The
   * first call of `listener` comes after this method has returned. The last event is `closed` or `failed`; the
   * subscription should be disposed all the same.
   */
  subscribe(options: SubscribeOptions, listener: (event: ExecEvent) => void): Subscription {
    this.fetch();
    const subscription = new LogSubscription({
      source: this.#record,
      position: this.#record.positionAfter(wholeNumber(options.afterSeq)),
      listener,
      // A window of 0 bytes would never open.
      windowBytes: Math.max(1, options.windowBytes ?? Number.POSITIVE_INFINITY),
      stallMs: options.stallMs ?? STALL_MS,
      borrows: options.borrows ?? false,
      passive: options.passive ?? false,
      clock: this.#clock,
      onStateChange: () => this.#updateFlow(),
      onDispose: (disposed) => {
        this.#subscriptions.delete(disposed);
        this.#updateFlow();
        this.#updateAwaited();
      },
    });
    this.#subscriptions.add(subscription);
    this.#updateFlow();
    this.#updateAwaited();
    queueMicrotask(() => subscription.start());
    return subscription;
  }

  #announce(
    event: ExecEvent,
    before: LogPosition,
    { behind = this.#record.end, lent = false }: { behind?: LogPosition; lent?: boolean } = {},
  ): void {
    for (const subscription of this.#subscriptions) {
      subscription.offer(event, { before, behind, lent });
    }
    for (const lookAgain of [...this.#waitingReads]) {
      lookAgain();
    }
    if (this.#wake.observed) {
      this.#wake.fire(this.#record.lastSeq);
    }
  }

  #updateFlow(): void {
    const subscriptions = [...this.#subscriptions].filter(({ passive }) => !passive);
    const paused =
      subscriptions.some(({ holdsBack }) => holdsBack) ||
      shouldPause(subscriptions.map(({ state }) => state));
    if (paused !== this.#paused) {
      this.#paused = paused;
      this.#flow.fire(paused);
    }
  }

  #updateAwaited(): void {
    const { awaited } = this;
    if (awaited !== this.#wasAwaited) {
      this.#wasAwaited = awaited;
      this.#awaited.fire(awaited);
    }
  }

  #readNow({ afterSeq, maxBytes }: ReadOptions): ReadResponse {
    return this.#record.read(wholeNumber(afterSeq), maxBytes);
  }

  #worthAnswering(answer: ReadResponse, afterSeq: number): boolean {
    return answer.chunks.length > 0 || answer.closed || (answer.exited && afterSeq < answer.nextSeq - 1);
  }
}

/** A valid number to continue after; an impossible number stands for the beginning. */
function wholeNumber(seq: number | undefined): number {
  return seq === undefined || Number.isNaN(seq) ? 0 : Math.floor(seq);
}
