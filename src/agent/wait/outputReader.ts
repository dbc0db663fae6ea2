import {
  type Clock,
  DEFAULT_WINDOW_BYTES,
  type Disposable,
  Emitter,
  type Event,
  type ExecEvent,
  type ExecProcess,
  type OutputEvent,
  type Subscription,
} from '../../core/index.js';
import { sizedGap, type TextGap } from '../text/index.js';

/** Takes the output of a reader, in order, and ignores output before the part that it wants. */
export interface OutputSink {
  push(event: OutputEvent | TextGap): void;
  /** Resolves when it can take more. */
  drained(): Promise<void>;
}

/**
 * How much the sinks get in one turn of the event loop, in bytes; a chunk is not cut. To read this much in short lines
 * takes them some ten milliseconds, and others run in this program as well.
 */
const SLICE_BYTES = 16 * 1024;

/** The events of a reader; `output` comes when the output arrives, before the sinks have it. */
type ReaderEvent = 'output' | 'exited' | 'closed' | 'lost';

/** An event that has been delivered and not yet dealt with: output, or the number of an event that sinks do not get. */
interface Pending {
  readonly seq: number;
  readonly output?: OutputEvent | TextGap;
}

/**
 * Follows the output of a process while a call waits. As a subscriber it makes the log block the process rather than
 * evict output that the call has not seen. The reader is never skipped for being slow: it runs in the same program,
 * always makes progress, and ends with its call. It acknowledges output only when its sinks have dealt with it.
 */
export class OutputReader implements Disposable {
  readonly #process: ExecProcess;
  readonly #sinks: readonly OutputSink[];
  readonly #subscription: Subscription;
  readonly #events = new Emitter<ReaderEvent>();
  readonly #clock: Clock;
  /** In order. The window of the subscription bounds it. */
  readonly #pending: Pending[] = [];
  /** The number up to which the sinks have dealt with everything. */
  #settled: number;
  #settling = false;
  #lastOutputAt: number;
  #exited: boolean;
  #closed: boolean;
  #lost: boolean;
  #disposed = false;
  readonly #waiting = new Set<{ readonly seq: number; readonly reached: () => void }>();

  constructor(process: ExecProcess, afterSeq: number, sinks: readonly OutputSink[], clock: Clock) {
    this.#process = process;
    this.#sinks = sinks;
    this.#clock = clock;
    this.#settled = afterSeq;
    this.#lastOutputAt = clock.now();
    // A reader that begins after the exit is not notified of it.
    const { exit, state } = process.info();
    this.#exited = exit !== undefined;
    this.#closed = state === 'closed';
    this.#lost = state === 'failed';
    this.#subscription = process.subscribe(
      { afterSeq, windowBytes: DEFAULT_WINDOW_BYTES, stallMs: Number.POSITIVE_INFINITY },
      (event) => this.#take(event),
    );
  }

  get onEvent(): Event<ReaderEvent> {
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

  /** Whether the log has output that the sinks have not dealt with. */
  get behind(): boolean {
    return this.#settled < this.#process.info().output.lastSeq;
  }

  /** Milliseconds since the last output that the reader has seen, or since its beginning. */
  get silentMs(): number {
    return this.#clock.now() - this.#lastOutputAt;
  }

  /** Resolves when the sinks have dealt with everything that the log has now, or when the reader is disposed. */
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
        this.#takeOutput(event.seq, event);
        break;
      case 'gap':
        this.#takeOutput(event.throughSeq, sizedGap(event, this.#process.info().output.evicted));
        break;
      case 'exited':
        this.#pending.push({ seq: event.seq });
        this.#exited = true;
        this.#events.fire('exited');
        break;
      case 'closed':
        this.#pending.push({ seq: event.seq });
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

  #takeOutput(seq: number, output: OutputEvent | TextGap): void {
    this.#pending.push({ seq, output });
    this.#lastOutputAt = this.#clock.now();
    this.#events.fire('output');
  }

  /** Deals with one slice at a time; output that arrives meanwhile waits for a later round. */
  async #settle(): Promise<void> {
    if (this.#settling) {
      return;
    }
    this.#settling = true;
    while (this.#pending.length > 0 && !this.#disposed) {
      const through = this.#pushSlice();
      await Promise.all(this.#sinks.map((sink) => sink.drained()));
      this.#settled = through;
      this.#subscription.acknowledge(through);
      this.#wakeReached();
    }
    this.#settling = false;
  }

  /** Gives the sinks the output of one turn. Returns the number up to which they have the output. */
  #pushSlice(): number {
    let through = this.#settled;
    let bytes = 0;
    let count = 0;
    for (const { seq, output } of this.#pending) {
      if (bytes >= SLICE_BYTES) {
        break;
      }
      count += 1;
      through = seq;
      if (output !== undefined) {
        bytes += output.type === 'output' ? output.bytes.byteLength : 0;
        for (const sink of this.#sinks) {
          sink.push(output);
        }
      }
    }
    this.#pending.splice(0, count);
    return through;
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
