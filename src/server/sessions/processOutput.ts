import type { Disposable, ExecEvent, ExecProcess, Subscription } from '../../core/index.js';
import type { ServerWire } from '../../protocol/index.js';
import { LARGEST_WINDOW_BYTES, UNACKNOWLEDGED_WINDOW_BYTES } from '../limits.js';

/**
 * What one process does, told to the client of one connection. The client of the base protocol acknowledges nothing and
 * cannot bear a missing number: it is taken to have what the system has taken, and holds its process back for as long
 * as it does not read. One that gave a window acknowledges with `process/flow`, and is skipped if it does not.
 */
export class ProcessOutput implements Disposable {
  readonly #processId: string;
  readonly #wire: ServerWire;
  readonly #acknowledges: boolean;
  readonly #subscription: Subscription;
  /** What has happened before the answer that has to come first; undefined once that is out. */
  #held: ExecEvent[] | undefined = [];
  #flushedSeq = 0;
  #acknowledgedSeq: number;

  /**
   * @param afterSeq Only what comes later is told.
   * @param windowBytes What the client asked for, if it did.
   */
  constructor(options: {
    process: ExecProcess;
    processId: string;
    wire: ServerWire;
    afterSeq: number;
    windowBytes: number | undefined;
  }) {
    const { process, processId, wire, afterSeq, windowBytes } = options;
    this.#processId = processId;
    this.#wire = wire;
    this.#acknowledges = windowBytes !== undefined;
    this.#acknowledgedSeq = this.#acknowledges ? 0 : Number.POSITIVE_INFINITY;
    this.#subscription = process.subscribe(
      windowBytes === undefined
        ? {
            afterSeq,
            borrows: true,
            windowBytes: UNACKNOWLEDGED_WINDOW_BYTES,
            stallMs: Number.POSITIVE_INFINITY,
          }
        : { afterSeq, borrows: true, windowBytes: Math.min(windowBytes, LARGEST_WINDOW_BYTES) },
      (event) => {
        if (this.#held === undefined) {
          this.#send(event);
        } else {
          this.#held.push(event.type === 'output' ? { ...event, bytes: new Uint8Array(event.bytes) } : event);
        }
      },
    );
  }

  /** Begins to send: the answer that the client has to see first is on its way. */
  open(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    held.forEach((event) => this.#send(event));
  }

  /** The client says that it has dealt with the output up to this number. */
  acknowledge(seq: number): void {
    if (this.#acknowledges) {
      this.#acknowledgedSeq = Math.max(this.#acknowledgedSeq, seq);
      this.#makeRoom();
    }
  }

  dispose(): void {
    this.#held = [];
    this.#subscription.dispose();
  }

  #send(event: ExecEvent): void {
    const processId = this.#processId;
    switch (event.type) {
      case 'output':
        this.#wire.sendOutput({ processId, seq: event.seq, stream: event.stream, bytes: event.bytes }, () => {
          this.#flushedSeq = event.seq;
          this.#makeRoom();
        });
        break;
      case 'exited': {
        const { exitCode, signal } = event.status;
        this.#wire.notify('process/exited', {
          processId,
          seq: event.seq,
          exitCode,
          sandboxDenied: false,
          ...(signal !== undefined && { exitSignal: signal }),
        });
        break;
      }
      case 'closed':
        this.#wire.notify('process/closed', { processId, seq: event.seq });
        this.#subscription.dispose();
        break;
      case 'gap':
        // Others cannot be told; they find the number missing.
        if (this.#acknowledges) {
          const { fromSeq, throughSeq, chunks, bytes } = event;
          this.#wire.notify('process/gap', {
            processId,
            fromSeq,
            throughSeq,
            chunks,
            ...(bytes !== undefined && { bytes }),
          });
        }
        break;
      case 'failed':
        // Processes of this machine cannot get lost.
        break;
    }
  }

  /** Both: a client that acknowledges what it has not read would fill our memory. */
  #makeRoom(): void {
    this.#subscription.acknowledge(Math.min(this.#flushedSeq, this.#acknowledgedSeq));
  }
}
