import {
  DEFAULT_WINDOW_BYTES,
  Emitter,
  type Disposable,
  type Event,
  type ExecEvent,
  type ExecProcess,
  type GapEvent,
  type OutputEvent,
  type Subscription,
} from '../core/index.js';

/** Takes the output that a follower gets, in order. What comes before the part that it wants it ignores. */
export interface OutputSink {
  push(event: OutputEvent | GapEvent): void;
  /** Resolves when it can take more. */
  drained(): Promise<void>;
}

/** What a follower reports; `output` comes when the sinks have it. */
export type FollowedEvent = 'output' | 'exited' | 'closed' | 'lost';

/**
 * Follows the output of a process while a call waits, as a subscriber: the log holds the process back rather than let
 * output go that the call has not seen. It is never skipped for being slow, since it runs in the same program, always
 * gets on, and is gone when its call is over. It asks for more only when its sinks have dealt with what they have.
 */
export class LogFollower implements Disposable {
  readonly #process: ExecProcess;
  readonly #sinks: readonly OutputSink[];
  readonly #subscription: Subscription;
  readonly #events = new Emitter<FollowedEvent>();
  /** Up to which number everything has been delivered, and up to which the sinks have dealt with it. */
  #delivered: number;
  #settled: number;
  #settling = false;
  readonly #replayEnd: number;
  #exited: boolean;
  #closed: boolean;
  #lost: boolean;
  #disposed = false;
  readonly #waiting = new Set<{ readonly seq: number; readonly reached: () => void }>();

  constructor(process: ExecProcess, afterSeq: number, sinks: readonly OutputSink[]) {
    this.#process = process;
    this.#sinks = sinks;
    this.#delivered = this.#settled = afterSeq;
    // A reader behind the exit is not told of it any more.
    const { exit, state, output } = process.info();
    this.#replayEnd = output.lastSeq;
    this.#exited = exit !== undefined;
    this.#closed = state === 'closed';
    this.#lost = state === 'failed';
    this.#subscription = process.subscribe(
      { afterSeq, windowBytes: DEFAULT_WINDOW_BYTES, stallMs: Number.POSITIVE_INFINITY },
      (event) => this.#take(event),
    );
  }

  get onEvent(): Event<FollowedEvent> {
    return this.#events.event;
  }

  get exited(): boolean {
    return this.#exited;
  }

  get closed(): boolean {
    return this.#closed;
  }

  get lost(): boolean {
    return this.#lost;
  }

  /** Whether the last output is newer than the follower, and no replay. */
  get live(): boolean {
    return this.#delivered > this.#replayEnd;
  }

  /** Resolves when the sinks have everything that the log has now, or when the follower is disposed. */
  caughtUp(): Promise<void> {
    const seq = this.#process.info().output.lastSeq;
    return new Promise((resolve) => {
      if (this.#settled >= seq || this.#disposed) {
        resolve();
      } else {
        this.#waiting.add({ seq, reached: resolve });
      }
    });
  }

  dispose(): void {
    this.#disposed = true;
    this.#subscription.dispose();
    this.#events.dispose();
    for (const { reached } of this.#waiting) {
      reached();
    }
    this.#waiting.clear();
  }

  #take(event: ExecEvent): void {
    switch (event.type) {
      case 'output':
      case 'gap':
        for (const sink of this.#sinks) {
          sink.push(event);
        }
        this.#delivered = event.type === 'gap' ? event.throughSeq : event.seq;
        this.#events.fire('output');
        break;
      case 'exited':
        this.#delivered = event.seq;
        this.#exited = true;
        this.#events.fire('exited');
        break;
      case 'closed':
        this.#delivered = event.seq;
        this.#closed = true;
        this.#events.fire('closed');
        break;
      case 'failed':
        this.#lost = true;
        this.#events.fire('lost');
        break;
    }
    void this.#settle();
  }

  /** One at a time: what arrives meanwhile is dealt with in the next round. */
  async #settle(): Promise<void> {
    if (this.#settling) {
      return;
    }
    this.#settling = true;
    while (this.#settled < this.#delivered && !this.#disposed) {
      const through = this.#delivered;
      await Promise.all(this.#sinks.map((sink) => sink.drained()));
      this.#settled = through;
      this.#subscription.acknowledge(through);
      this.#wakeReached();
    }
    this.#settling = false;
  }

  #wakeReached(): void {
    for (const entry of this.#waiting) {
      if (this.#settled >= entry.seq) {
        this.#waiting.delete(entry);
        entry.reached();
      }
    }
  }
}
