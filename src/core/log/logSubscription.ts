import type { Clock } from '../clock.js';
import { callSafely, type Disposable } from '../events.js';
import type { ExecEvent } from '../process/execEvents.js';
import { Queue } from '../queue.js';

/**
 * The effect of a subscriber on the pace of its process. A `slow` one holds the process back unless another one is
 * faster; a `stalled` one no longer counts.
 */
type SubscriberState = 'live' | 'slow' | 'stalled';

/**
 * Whether the child should stop producing: some subscribers count, and all of those are slow. Without a subscriber, or
 * with stalled ones only, the log takes everything and evicts what it cannot keep.
 */
export function shouldPause(states: Iterable<SubscriberState>): boolean {
  let counted = 0;
  for (const state of states) {
    if (state === 'live') {
      return false;
    }
    if (state === 'slow') {
      counted += 1;
    }
  }
  return counted > 0;
}

/** Bytes that may be under way to a subscriber before it acknowledges some. */
export const DEFAULT_WINDOW_BYTES = 256 * 1024;
/**
 * Silence after which a full subscriber no longer holds its process back, in milliseconds. A VS Code window on a busy
 * machine (load 15 on two cores) is silent for up to 1.7 s in a flood. Before its first answer it is silent for 3 s. A
 * sleeping window says nothing for hours.
 */
export const STALL_MS = 15_000;

export interface SubscribeOptions {
  /** Only events with a higher number. The default, 0, replays everything that is retained. */
  readonly afterSeq?: number | undefined;
  /**
   * The bytes that may be unacknowledged before the subscriber counts as slow and gets no more. Without a window
   * everything is delivered at once, without acknowledgements.
   */
  readonly windowBytes?: number | undefined;
  /**
   * The time for which a full subscriber may hold its process back before it counts as stalled, in milliseconds;
   * {@link STALL_MS} by default. With `Infinity` it is never skipped, and holds its process back even while others are
   * faster. Subscribers that cannot bear a missing number need this.
   */
  readonly stallMs?: number | undefined;
  /**
   * Whether the listener is done with the bytes of an event when it returns. It may then get memory that is overwritten
   * afterwards. That saves a copy of most output, and its garbage collection.
   */
  readonly borrows?: boolean | undefined;
  /**
   * Whether the subscriber does not count: it is not a reader that waits, and others hold the process back as if it
   * were absent. Only for a subscriber without a window.
   */
  readonly passive?: boolean | undefined;
}

/**
 * One reader of a log. It gets a replay of the retained output and then live events, without a gap or a repetition
 * between them.
 */
export interface Subscription extends Disposable {
  readonly state: SubscriberState;
  /** Acknowledges the output up to this number, which makes room in the window. */
  acknowledge(throughSeq: number): void;
  /** Delivers no output for now, as if the window were full; or delivers again. */
  hold(held: boolean): void;
}

/** A place in a log: after the number `seq`, and after this many chunks and bytes of output. */
export interface LogPosition {
  readonly seq: number;
  readonly chunks: number;
  readonly bytes: number;
}

/** The part of a log that a subscription needs. */
export interface LogSource {
  /**
   * The size in bytes of the next output; 0 if the next event is not output, undefined if there is no next event yet.
   */
  sizeAfter(position: LogPosition): number | undefined;
  /** The next event and the place after it. */
  eventAfter(position: LogPosition): { event: ExecEvent; behind: LogPosition } | undefined;
}

/** A cursor in a log that drives a listener, and slows down if that listener does not acknowledge. */
export class LogSubscription implements Subscription {
  /** See {@link SubscribeOptions.passive}. */
  readonly passive: boolean;
  readonly #source: LogSource;
  readonly #listener: (event: ExecEvent) => void;
  readonly #windowBytes: number;
  readonly #stallMs: number;
  readonly #borrows: boolean;
  readonly #clock: Clock;
  readonly #onStateChange: () => void;
  readonly #onDispose: (subscription: LogSubscription) => void;
  #position: LogPosition;
  /** Output delivered and not acknowledged, oldest first. */
  readonly #delivered = new Queue<{ readonly seq: number; readonly bytes: number }>();
  #unacknowledgedBytes = 0;
  #state: SubscriberState = 'live';
  #stallTimer: Disposable | undefined;
  #held = false;
  #started = false;
  #pumping = false;
  #disposed = false;

  constructor(options: {
    source: LogSource;
    position: LogPosition;
    listener: (event: ExecEvent) => void;
    windowBytes: number;
    stallMs: number;
    borrows: boolean;
    passive: boolean;
    clock: Clock;
    onStateChange: () => void;
    onDispose: (subscription: LogSubscription) => void;
  }) {
    this.#source = options.source;
    this.#position = options.position;
    this.#listener = options.listener;
    this.#windowBytes = options.windowBytes;
    this.#stallMs = options.stallMs;
    this.#borrows = options.borrows;
    this.passive = options.passive;
    this.#clock = options.clock;
    this.#onStateChange = options.onStateChange;
    this.#onDispose = options.onDispose;
  }

  get state(): SubscriberState {
    return this.#state;
  }

  /** Whether the process has to wait for this subscriber, even if others read faster. */
  get holdsBack(): boolean {
    return this.#state === 'slow' && !Number.isFinite(this.#stallMs);
  }

  /** Starts the delivery. Until then, events wait in the log. */
  start(): void {
    this.#started = true;
    this.pump();
  }

  /**
   * Takes an event that was just appended. A reader that has seen everything gets it directly and not through the ring,
   * even if it is too large to be retained. The reader gets a copy only if the memory is lent and the reader keeps it.
   */
  offer(
    event: ExecEvent,
    { before, behind, lent }: { before: LogPosition; behind: LogPosition; lent: boolean },
  ): void {
    if (!this.#started || this.#disposed || this.#pumping || this.#position.seq !== before.seq) {
      return;
    }
    if (event.type === 'output' && this.#full) {
      return;
    }
    const kept = lent && !this.#borrows && event.type === 'output';
    this.#pumping = true;
    this.#deliver(kept ? { ...event, bytes: new Uint8Array(event.bytes) } : event, behind);
    this.#pumping = false;
    this.pump();
  }

  /** Delivers as much as the window has room for. */
  pump(): void {
    if (!this.#started || this.#pumping) {
      return;
    }
    this.#pumping = true;
    while (!this.#isDisposed()) {
      const size = this.#source.sizeAfter(this.#position);
      if (size === undefined || (size > 0 && this.#full)) {
        break;
      }
      const next = this.#source.eventAfter(this.#position);
      if (next === undefined) {
        break;
      }
      this.#deliver(next.event, next.behind);
    }
    this.#pumping = false;
    this.#updateState();
  }

  acknowledge(throughSeq: number): void {
    const before = this.#delivered.size;
    let oldest = this.#delivered.first;
    // The comparison has this direction so that a NaN acknowledges nothing.
    while (oldest !== undefined && oldest.seq <= throughSeq) {
      this.#unacknowledgedBytes -= oldest.bytes;
      this.#delivered.shift();
      oldest = this.#delivered.first;
    }
    if (this.#delivered.size === before) {
      return;
    }
    this.#stallTimer?.dispose();
    this.#stallTimer = undefined;
    this.pump();
    this.#updateState();
  }

  hold(held: boolean): void {
    if (this.#held !== held) {
      this.#held = held;
      this.pump();
    }
  }

  dispose(): void {
    if (this.#disposed) {
      return;
    }
    this.#disposed = true;
    this.#stallTimer?.dispose();
    this.#onDispose(this);
  }

  get #full(): boolean {
    return this.#held || this.#unacknowledgedBytes >= this.#windowBytes;
  }

  /** A method, since the compiler would assume that a field does not change while a listener is called. */
  #isDisposed(): boolean {
    return this.#disposed;
  }

  #deliver(event: ExecEvent, behind: LogPosition): void {
    this.#position = behind;
    if (event.type === 'output' && Number.isFinite(this.#windowBytes)) {
      this.#delivered.push({ seq: event.seq, bytes: event.bytes.byteLength });
      this.#unacknowledgedBytes += event.bytes.byteLength;
    }
    callSafely(this.#listener, event);
  }

  #updateState(): void {
    if (this.#disposed) {
      return;
    }
    if (!this.#full) {
      this.#stallTimer?.dispose();
      this.#stallTimer = undefined;
      this.#setState('live');
    } else if (this.#stallTimer === undefined) {
      // The window has just filled up, or is full again after a stall. A timer that has run out stays until the next
      // acknowledgement.
      this.#setState('slow');
      if (Number.isFinite(this.#stallMs)) {
        this.#stallTimer = this.#clock.after(this.#stallMs, () => this.#setState('stalled'));
      }
    }
  }

  #setState(state: SubscriberState): void {
    if (this.#state !== state) {
      this.#state = state;
      this.#onStateChange();
    }
  }
}
