import {
  type Deferred,
  deferred,
  type Disposable,
  type ExecEvent,
  type ExecProcess,
  type OutputEvent,
  type Subscription,
} from '../../core/index.js';
import type { ServerWire } from '../../protocol/index.js';
import { howItEnded } from './processDescription.js';
import type { OutputTurns } from './outputTurns.js';
import { LARGEST_WINDOW_BYTES, UNACKNOWLEDGED_WINDOW_BYTES } from '../limits.js';

/**
 * Sends the events of one process to the client of one connection. A client of the base protocol does not acknowledge
 * and cannot bear missing numbers. It counts as having all bytes that the system has taken, and holds its process back
 * for as long as it does not read. A client that gave a window acknowledges with `process/flow`, and misses output if
 * it does not.
 */
export class ProcessOutput implements Disposable {
  readonly #processId: string;
  readonly #wire: ServerWire;
  readonly #turns: OutputTurns;
  readonly #acknowledges: boolean;
  readonly #subscription: Subscription;
  /** Events that came before the answer that the client has to get first; undefined once that has been sent. */
  #held: ExecEvent[] | undefined = [];
  #flushedSeq = 0;
  #acknowledgedSeq: number;
  /** Resolves once the exit is on its way to the client; undefined from then on. */
  #owedExit: Deferred | undefined;

  /**
   * @param options.afterSeq Only events with a higher number are sent.
   * @param options.windowBytes The window that the client asked for, if any.
   */
  constructor(options: {
    process: ExecProcess;
    processId: string;
    wire: ServerWire;
    turns: OutputTurns;
    afterSeq: number;
    windowBytes: number | undefined;
  }) {
    const { process, processId, wire, turns, afterSeq, windowBytes } = options;
    this.#processId = processId;
    this.#wire = wire;
    this.#turns = turns;
    this.#acknowledges = windowBytes !== undefined;
    const { exit, output } = process.info();
    this.#owedExit = exit !== undefined && afterSeq >= output.lastSeq ? undefined : deferred();
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

  /**
   * Resolves once the exit is on its way to the client, and when the delivery ends. Undefined after that, and if the
   * client has it already.
   */
  get owedExit(): Promise<void> | undefined {
    return this.#owedExit?.promise;
  }

  /** Starts the delivery of events. To be called once the answer that comes first has been sent. */
  open(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    held.forEach((event) => this.#send(event));
  }

  /** Notes that the client has acknowledged the output up to this number. */
  acknowledge(seq: number): void {
    if (this.#acknowledges) {
      this.#acknowledgedSeq = Math.max(this.#acknowledgedSeq, seq);
      this.#makeRoom();
    }
  }

  dispose(): void {
    this.#held = [];
    this.#subscription.dispose();
    this.#turns.leave(this);
    this.#payExit();
  }

  /** Waits for the turns of other processes of the connection, or sends again. */
  hold(held: boolean): void {
    this.#subscription.hold(held);
  }

  #payExit(): void {
    this.#owedExit?.resolve();
    this.#owedExit = undefined;
  }

  #send(event: ExecEvent): void {
    const processId = this.#processId;
    switch (event.type) {
      case 'output':
        this.#sendOutput(event);
        break;
      case 'exited': {
        const { seq, status } = event;
        const { exitCode } = status;
        this.#wire.notify('process/exited', { processId, seq, exitCode, ...howItEnded(status) });
        this.#payExit();
        break;
      }
      case 'closed':
        this.#wire.notify('process/closed', { processId, seq: event.seq });
        this.#subscription.dispose();
        break;
      case 'gap':
        // The base protocol has no message for this; its clients notice the missing number.
        if (this.#acknowledges) {
          const { fromSeq, throughSeq, chunks, bytes, modes } = event;
          this.#wire.notify('process/gap', {
            processId,
            fromSeq,
            throughSeq,
            chunks,
            ...(bytes !== undefined && { bytes }),
            ...(modes !== undefined && { modes }),
          });
        }
        break;
      case 'failed':
        // Only processes of remote backends get lost, and those of a server are local.
        break;
    }
  }

  #sendOutput({ seq, stream, bytes, size }: OutputEvent): void {
    const output = { processId: this.#processId, seq, stream, bytes };
    // The base protocol has no sizes.
    const sized = size !== undefined && this.#acknowledges ? { ...output, size } : output;
    const taken = this.#turns.sends(this, bytes.byteLength);
    this.#wire.sendOutput(sized, () => {
      taken();
      this.#flushedSeq = seq;
      this.#makeRoom();
    });
  }

  /**
   * Makes room up to the number that is both sent and acknowledged. A client that acknowledges output without reading
   * it would otherwise fill our memory.
   */
  #makeRoom(): void {
    this.#subscription.acknowledge(Math.min(this.#flushedSeq, this.#acknowledgedSeq));
  }
}
