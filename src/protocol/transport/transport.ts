import type { Event } from '../../core/index.js';

/** Why a transport ended, in words; empty if the other side closed it properly. */
export interface TransportEnd {
  readonly reason: string;
}

/**
 * A way for whole messages, in order: one JSON object each, without a newline at its end. A transport is open when it
 * is handed out, and ends once. Messages that arrive before somebody listens wait.
 */
export interface Transport {
  /** Who is at the other end, for errors: `websocket 127.0.0.1:4711`, `stdio`. */
  readonly peer: string;
  /** Set before the first turn of the event loop ends; there is one listener. */
  onMessage: (message: string) => void;
  /** Whether messages can be bytes as well as text. */
  readonly carriesBytes: boolean;
  /**
   * Takes messages of bytes, in order with the others, each of which may be overwritten as soon as it has returned. To be
   * set before the other side is told that it may send them: without it, bytes count as text.
   */
  onBytes: ((message: Buffer) => void) | undefined;
  readonly onEnd: Event<TransportEnd>;
  /** How it ended, once it has. */
  readonly end: TransportEnd | undefined;
  /** Bytes that were sent and have not been handed to the system yet. */
  readonly bufferedBytes: number;
  /**
   * Queues a message; nothing happens after the end.
   *
   * @param message Text, as it is or in UTF-8. A buffer belongs to the transport from now on.
   * @param flushed Called once the message has been handed to the system, or never if the transport ends before.
   */
  send(message: string | Buffer, flushed?: () => void): void;
  /** The same with a message of bytes. Only for a peer that expects them. */
  sendBytes(message: Buffer, flushed?: () => void): void;
  /** Stops or goes on to read, so that a peer who sends more than can be dealt with has to wait. */
  setPaused(paused: boolean): void;
  /** Sends what is queued, then ends it: `closed`, or the reason given. Ends it by force after a short time. */
  close(reason?: string): void;
  /** Ends it at once. */
  destroy(reason: string): void;
}
