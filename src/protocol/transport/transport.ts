import type { Event } from '../../core/index.js';
import type { Signs } from './heartbeat.js';

/** The end of a transport. The reason is in words, and empty if the other side closed the transport properly. */
export interface TransportEnd {
  readonly reason: string;
  /** True if the other side is known to be gone for good. The reason says why. */
  readonly final?: true;
}

/**
 * A channel for whole messages, in order. Each is one JSON object, without a newline at its end. A transport is open
 * when it is handed out, and ends once. Messages that arrive before there is a listener wait for it.
 */
export interface Transport {
  /** The name of the other end, for errors: `websocket 127.0.0.1:4711`, `stdio`. */
  readonly peer: string;
  /** The one listener for messages. It must be set before the first turn of the event loop ends. */
  onMessage: (message: string) => void;
  /** Whether messages can be binary as well as text. */
  readonly carriesBytes: boolean;
  /**
   * The listener for binary messages, called in order with the other one. The memory of a message may be overwritten as
   * soon as it has returned. It must be set before the other side may send binary messages: without it, they count as
   * text.
   */
  onBytes: ((message: Buffer) => void) | undefined;
  readonly onEnd: Event<TransportEnd>;
  /** The end of the transport, once it has ended. */
  readonly end: TransportEnd | undefined;
  /**
   * The signs of life of the other side; absent if the transport itself asks for them, or if they are not asked for.
   */
  readonly signs?: (() => Signs) | undefined;
  /** Bytes that were sent and have not been handed to the system yet. */
  readonly bufferedBytes: number;
  /**
   * Queues a message. Does nothing after the end.
   *
   * @param message Text, as a string or in UTF-8. A buffer belongs to the transport from now on.
   * @param flushed Called once the message has been handed to the system; never if the transport ends first.
   */
  send(message: string | Buffer, flushed?: () => void): void;
  /** Queues a binary message in the same way. Only for a peer that expects them. */
  sendBytes(message: Buffer, flushed?: () => void): void;
  /** Pauses or resumes reading: a peer that sends too much has to wait. */
  setPaused(paused: boolean): void;
  /**
   * Sends the queued messages, then ends the transport, by force if that takes too long. The default reason is
   * `closed`.
   */
  close(reason?: string): void;
  /** Ends the transport at once; queued messages are lost. */
  destroy(reason: string): void;
}
