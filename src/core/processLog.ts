import { shouldPause } from './backpressure.js';
import { ChunkRing, type LogLimits } from './chunkRing.js';
import { systemClock, type Clock } from './clock.js';
import { Emitter, type Event } from './events.js';
import type {
  Evicted,
  ExecEvent,
  ExitStatus,
  OutputChunk,
  OutputStream,
  ReadOptions,
  ReadResponse,
} from './execEvents.js';
import {
  LogSubscription,
  STALL_MS,
  type LogPosition,
  type LogSource,
  type SubscribeOptions,
  type Subscription,
} from './logSubscription.js';
import { MissingRanges } from './missingRanges.js';

export const DEFAULT_LOG_LIMITS: LogLimits = { bytes: 1024 * 1024, chunks: 50_000 };

/** What a log has taken and kept. */
export interface LogStats {
  /** All output so far, evicted or not. */
  readonly bytes: number;
  readonly chunks: number;
  readonly retainedBytes: number;
  readonly evicted: Evicted;
  /** Output that never reached the log. `bytes` counts those of which it is known how large they were. */
  readonly missing: { readonly chunks: number; readonly bytes: number };
  /** The highest number given so far; 0 before the first. */
  readonly lastSeq: number;
}

const START: LogPosition = { seq: 0, chunks: 0, bytes: 0 };
/** Where a subscriber is who has been told of the failure: behind every number. */
const BEHIND_FAILURE = Number.POSITIVE_INFINITY;

/**
 * Everything that one process said, in order. One counter, from 1, numbers each output chunk, the exit and the close.
 * The newest output is retained up to a bound; what had to go is counted, and told to a reader who asks for it.
 *
 * The writing side is one owner, its backend. There are two ways to read: with a cursor ({@link read}), which never
 * holds the process back, and as a subscriber with a window ({@link subscribe}), which may.
 */
export class ProcessLog {
  readonly #clock: Clock;
  readonly #ring: ChunkRing;
  readonly #missing = new MissingRanges();
  readonly #wake = new Emitter<number>();
  readonly #flow = new Emitter<boolean>();
  readonly #subscriptions = new Set<LogSubscription>();
  readonly #waitingReads = new Set<() => void>();
  readonly #source: LogSource = {
    sizeAfter: (position) => this.#sizeAfter(position),
    eventAfter: (position) => this.#eventAfter(position),
  };
  #lastSeq = 0;
  #exit: { readonly status: ExitStatus; readonly before: LogPosition; readonly seq: number } | undefined;
  #closedSeq: number | undefined;
  #failure: string | undefined;
  #paused = false;

  constructor(options: { limits?: LogLimits | undefined; clock?: Clock | undefined } = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#ring = new ChunkRing(options.limits ?? DEFAULT_LOG_LIMITS);
  }

  /** Fires after each change with the highest number so far; a failure, which has none, fires as well. */
  get onWake(): Event<number> {
    return this.#wake.event;
  }

  /** Fires with true when the process should produce no more for now, and with false when it may go on. */
  get onFlow(): Event<boolean> {
    return this.#flow.event;
  }

  /** What {@link onFlow} said last. */
  get paused(): boolean {
    return this.#paused;
  }

  get exit(): ExitStatus | undefined {
    return this.#exit?.status;
  }

  get closed(): boolean {
    return this.#closedSeq !== undefined;
  }

  get failure(): string | undefined {
    return this.#failure;
  }

  /** Whether nothing can follow any more. */
  get ended(): boolean {
    return this.closed || this.#failure !== undefined;
  }

  get stats(): LogStats {
    return {
      bytes: this.#ring.totalBytes,
      chunks: this.#ring.totalChunks,
      retainedBytes: this.#ring.retainedBytes,
      evicted: this.#ring.evicted,
      missing: this.#missing.total,
      lastSeq: this.#lastSeq,
    };
  }

  /** Bytes of memory that the retained output holds. */
  get allocatedBytes(): number {
    return this.#ring.allocatedBytes;
  }

  /**
   * Takes one chunk of output; an empty one is nothing. Subscribers may get `bytes` itself, so it must not be changed
   * afterwards, unless it is only lent.
   *
   * @param lent Whether `bytes` may be overwritten as soon as this method has returned. Subscribers who keep what they
   *   get have a copy then.
   * @throws Error after the close or a failure.
   */
  appendOutput(stream: OutputStream, bytes: Uint8Array, lent = false): void {
    if (bytes.byteLength === 0) {
      return;
    }
    const before = this.#end();
    const seq = this.#nextNumber('output');
    this.#ring.push(seq, stream, bytes);
    this.#announce({ type: 'output', seq, stream, bytes }, before, { lent });
  }

  /**
   * Says that the numbers up to `throughSeq` are output that will never reach this log: what follows has the numbers
   * behind it. For a log that follows another one. Does nothing if the log is there already.
   *
   * @param bytes How much it was, if that is known.
   * @throws Error after the close or a failure.
   */
  appendMissing(throughSeq: number, bytes?: number): void {
    if (throughSeq <= this.#lastSeq) {
      return;
    }
    const before = this.#end();
    const fromSeq = this.#nextNumber('output');
    this.#lastSeq = throughSeq;
    const chunks = throughSeq - fromSeq + 1;
    const missing = { fromSeq, throughSeq, chunks, ...(bytes !== undefined && { bytes }) };
    this.#missing.add(missing);
    this.#announce({ type: 'gap', ...missing }, before);
  }

  /** @throws Error if the process has exited before, or after a failure. */
  appendExit(status: ExitStatus): void {
    if (this.#exit !== undefined) {
      throw new Error('A process exits once.');
    }
    const before = this.#end();
    const seq = this.#nextNumber('exit');
    this.#exit = { status, before, seq };
    this.#announce({ type: 'exited', seq, status }, before);
  }

  /** @throws Error before the exit, if it was closed before, or after a failure. */
  appendClose(): void {
    if (this.#exit === undefined) {
      throw new Error('A process closes after it has exited.');
    }
    const before = this.#end();
    const seq = this.#nextNumber('close');
    this.#closedSeq = seq;
    this.#ring.compact();
    this.#announce({ type: 'closed', seq }, before);
  }

  /** Ends the log because its process can never be reached again. Does nothing once the log has ended. */
  fail(message: string): void {
    if (this.ended) {
      return;
    }
    const before = this.#end();
    this.#failure = message;
    this.#ring.compact();
    this.#announce({ type: 'failed', message }, before, { behind: { ...before, seq: BEHIND_FAILURE } });
  }

  /** Lets the oldest output go until at most `bytes` are retained. It is counted as evicted. */
  evictTo(bytes: number): void {
    this.#ring.evictTo(bytes);
    this.#ring.compact();
  }

  /**
   * Reads what is retained after a number. Answers at once if there is some, if the log has ended, or if the process
   * has exited and the exit's number is above `afterSeq`; otherwise waits for one of these until `waitMs` are over.
   *
   * Without `maxBytes`, `nextSeq` is the number that comes next in the log; with it, the one behind the last chunk of
   * the answer.
   *
   * @param signal Ends the wait; the answer is then what there is.
   */
  read(options: ReadOptions = {}, signal?: AbortSignal): Promise<ReadResponse> {
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
    });
  }

  /**
   * Delivers a replay of what is retained and then what follows, in order and with no seam: each number once, or inside
   * a gap event. The first call of `listener` comes after this method has returned. The last event is `closed` or
   * `failed`; the subscription should be disposed all the same.
   */
  subscribe(options: SubscribeOptions, listener: (event: ExecEvent) => void): Subscription {
    const subscription = new LogSubscription({
      source: this.#source,
      position: this.#positionAfter(wholeNumber(options.afterSeq)),
      listener,
      // A window of nothing would never be opened.
      windowBytes: Math.max(1, options.windowBytes ?? Number.POSITIVE_INFINITY),
      stallMs: options.stallMs ?? STALL_MS,
      borrows: options.borrows ?? false,
      clock: this.#clock,
      onStateChange: () => this.#updateFlow(),
      onDispose: (disposed) => {
        this.#subscriptions.delete(disposed);
        this.#updateFlow();
      },
    });
    this.#subscriptions.add(subscription);
    this.#updateFlow();
    queueMicrotask(() => subscription.start());
    return subscription;
  }

  #end(): LogPosition {
    return { seq: this.#lastSeq, chunks: this.#ring.totalChunks, bytes: this.#ring.totalBytes };
  }

  #nextNumber(what: string): number {
    if (this.ended) {
      throw new Error(`No ${what} can follow: the log ${this.closed ? 'is closed' : 'has failed'}.`);
    }
    this.#lastSeq += 1;
    return this.#lastSeq;
  }

  #announce(
    event: ExecEvent,
    before: LogPosition,
    { behind = this.#end(), lent = false }: { behind?: LogPosition; lent?: boolean } = {},
  ): void {
    for (const subscription of this.#subscriptions) {
      subscription.offer(event, { before, behind, lent });
    }
    for (const lookAgain of [...this.#waitingReads]) {
      lookAgain();
    }
    if (this.#wake.observed) {
      this.#wake.fire(this.#lastSeq);
    }
  }

  #updateFlow(): void {
    const subscriptions = [...this.#subscriptions];
    const paused =
      subscriptions.some(({ holdsBack }) => holdsBack) ||
      shouldPause(subscriptions.map(({ state }) => state));
    if (paused !== this.#paused) {
      this.#paused = paused;
      this.#flow.fire(paused);
    }
  }

  #readNow(options: ReadOptions): ReadResponse {
    const afterSeq = wholeNumber(options.afterSeq);
    const maxBytes = options.maxBytes ?? Number.POSITIVE_INFINITY;
    const chunks: OutputChunk[] = [];
    let total = 0;
    for (let index = this.#ring.indexAfter(afterSeq); index < this.#ring.count; index++) {
      const size = this.#ring.sizeAt(index);
      if (chunks.length > 0 && (total >= maxBytes || total + size > maxBytes)) {
        break;
      }
      chunks.push(this.#ring.at(index));
      total += size;
    }
    const lastChunk = chunks.at(-1);
    const bounded = options.maxBytes !== undefined && lastChunk !== undefined;
    const nextSeq = bounded ? lastChunk.seq + 1 : this.#lastSeq + 1;
    const missing = this.#missing.within(afterSeq, nextSeq - 1);
    return {
      chunks,
      nextSeq,
      exited: this.#exit !== undefined,
      ...(this.#exit && { exit: this.#exit.status, exitSeq: this.#exit.seq }),
      closed: this.ended,
      ...(this.#failure !== undefined && { failure: this.#failure }),
      ...(afterSeq < this.#ring.evicted.throughSeq && { evicted: this.#ring.evicted }),
      ...(missing.length > 0 && { missing }),
    };
  }

  #worthAnswering(answer: ReadResponse, afterSeq: number): boolean {
    return answer.chunks.length > 0 || answer.closed || (answer.exited && afterSeq < answer.nextSeq - 1);
  }

  /** Where a reader is who has seen everything up to `seq`; what is evicted above that will be its gap. */
  #positionAfter(seq: number): LogPosition {
    if (seq <= 0) {
      return START;
    }
    const end = this.#end();
    if (seq >= end.seq) {
      return end;
    }
    const { evicted } = this.#ring;
    if (seq < evicted.throughSeq) {
      // What comes next is a gap up to a place that is known again. The sizes of single evicted chunks are not.
      return { seq, chunks: 0, bytes: Number.NaN };
    }
    const index = this.#ring.indexAfter(seq);
    let bytes = evicted.bytes;
    for (let earlier = 0; earlier < index; earlier++) {
      bytes += this.#ring.sizeAt(earlier);
    }
    return { seq, chunks: evicted.chunks + index, bytes };
  }

  #sizeAfter(position: LogPosition): number | undefined {
    if (position.seq >= this.#lastSeq) {
      return this.#failure !== undefined && position.seq !== BEHIND_FAILURE ? 0 : undefined;
    }
    const next = this.#nextChunk(position);
    return next?.seq === position.seq + 1 ? this.#ring.sizeAt(next.index) : 0;
  }

  #eventAfter(position: LogPosition): { event: ExecEvent; behind: LogPosition } | undefined {
    const seq = position.seq + 1;
    if (seq === this.#exit?.seq) {
      return { event: { type: 'exited', seq, status: this.#exit.status }, behind: { ...position, seq } };
    }
    if (seq === this.#closedSeq) {
      return { event: { type: 'closed', seq }, behind: { ...position, seq } };
    }
    if (position.seq >= this.#lastSeq) {
      if (this.#failure === undefined || position.seq === BEHIND_FAILURE) {
        return undefined;
      }
      const event = { type: 'failed', message: this.#failure } as const;
      return { event, behind: { ...position, seq: BEHIND_FAILURE } };
    }
    if (position.seq < this.#ring.evicted.throughSeq) {
      return this.#gapAfter(position);
    }
    const next = this.#nextChunk(position);
    if (next?.seq !== seq) {
      return this.#missingAfter(position, next?.seq);
    }
    const chunk = this.#ring.at(next.index);
    return {
      event: { type: 'output', ...chunk },
      behind: {
        seq: chunk.seq,
        chunks: position.chunks + 1,
        bytes: position.bytes + chunk.bytes.byteLength,
      },
    };
  }

  /** The retained chunk that comes next; undefined if there is none, or if others before it were evicted. */
  #nextChunk(position: LogPosition): { index: number; seq: number } | undefined {
    if (position.seq < this.#ring.evicted.throughSeq) {
      return undefined;
    }
    const index = position.chunks - this.#ring.evicted.chunks;
    return index < this.#ring.count ? { index, seq: this.#ring.seqAt(index) } : undefined;
  }

  /** A gap ends before the exit, which is always delivered; what is missing behind that is another one. */
  #gapAfter(position: LogPosition): { event: ExecEvent; behind: LogPosition } {
    const { evicted } = this.#ring;
    const before = this.#exit?.before;
    const behind =
      before !== undefined && position.seq < before.seq && before.seq < evicted.throughSeq
        ? before
        : { seq: evicted.throughSeq, chunks: evicted.chunks, bytes: evicted.bytes };
    const missing = this.#missing.bytesWithin(position.seq, behind.seq);
    const bytes = behind.bytes - position.bytes + (missing ?? Number.NaN);
    return {
      event: {
        type: 'gap',
        fromSeq: position.seq + 1,
        throughSeq: behind.seq,
        chunks: behind.seq - position.seq,
        ...(!Number.isNaN(bytes) && { bytes }),
      },
      behind,
    };
  }

  /** What never reached the log, up to the next thing that did. */
  #missingAfter(
    position: LogPosition,
    nextChunk: number | undefined,
  ): { event: ExecEvent; behind: LogPosition } {
    const ahead = [nextChunk, this.#exit?.seq, this.#closedSeq, this.#lastSeq + 1];
    const next = Math.min(...ahead.flatMap((seq) => (seq !== undefined && seq > position.seq ? [seq] : [])));
    const bytes = this.#missing.bytesWithin(position.seq, next - 1);
    return {
      event: {
        type: 'gap',
        fromSeq: position.seq + 1,
        throughSeq: next - 1,
        chunks: next - 1 - position.seq,
        ...(bytes !== undefined && { bytes }),
      },
      behind: { ...position, seq: next - 1 },
    };
  }
}

/** A number to go on after; one that there cannot be stands for the beginning. */
function wholeNumber(seq: number | undefined): number {
  return seq === undefined || Number.isNaN(seq) ? 0 : Math.floor(seq);
}
