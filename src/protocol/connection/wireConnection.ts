import type { Event } from '../../core/index.js';
import type {
  ClientNotificationName,
  ClientNotificationParams,
  ParamsOf,
  RequestName,
  ResultOf,
  ServerNotificationName,
  ServerNotificationParams,
} from '../messages/methods.js';
import type { WireOutput } from '../messages/outputFrame.js';
import type { TransportEnd } from '../transport/transport.js';

export interface RequestOptions {
  /** How long to wait for the answer, in milliseconds; for ever by default. */
  readonly timeoutMs?: number | undefined;
  /** Gives up waiting. Nothing is sent: the real server drops a connection that says `$/cancelRequest`. */
  readonly signal?: AbortSignal | undefined;
}

/** The client's end of a connection. */
export interface ClientWire {
  /** Fires once. Requests without an answer reject with a {@link WireClosedError} before that. */
  readonly onEnd: Event<TransportEnd>;
  /**
   * @throws WireError the server's answer; {@link WireClosedError} if the connection ends first; {@link BadAnswerError}
   *   if the answer makes no sense; {@link RequestTimeoutError}; the reason of `signal`.
   */
  request<M extends RequestName>(
    method: M,
    params: ParamsOf<M>,
    options?: RequestOptions,
  ): Promise<ResultOf<M>>;
  notify<N extends ClientNotificationName>(name: N, params: ClientNotificationParams<N>): void;
  /**
   * Takes output as frames from now on, wherever the connection can carry them.
   *
   * @returns Whether it can. Then the server may be told.
   */
  acceptOutputFrames(): boolean;
  close(reason?: string): void;
  destroy(reason: string): void;
}

/** Who takes a server's notifications. Those that make no sense or are unknown are logged, and never come here. */
export type ServerNotificationHandlers = {
  readonly [N in ServerNotificationName]?: (params: ServerNotificationParams<N>) => void;
};

/** Who takes all that a server says by itself. */
export interface ServerMessageHandlers extends ServerNotificationHandlers {
  /**
   * Output that came as a frame: see {@link ClientWire.acceptOutputFrames}. Its bytes are lent: they may be overwritten
   * as soon as this has returned.
   */
  readonly outputFrame?: (output: WireOutput) => void;
}

/** What a server calls the one who asks. */
export interface ServerWire {
  readonly onEnd: Event<TransportEnd>;
  /** Bytes that are queued for the peer. */
  readonly bufferedBytes: number;
  /** @param flushed Called once the message has been handed to the system. */
  notify<N extends ServerNotificationName>(
    name: N,
    params: ServerNotificationParams<N>,
    flushed?: () => void,
  ): void;
  /** The hot path: output as it is, written without a detour through the library. */
  sendOutput(output: WireOutput, flushed?: () => void): void;
  /** The client takes output as frames: it is sent so from now on, if the connection can carry them. */
  useOutputFrames(): void;
  close(reason?: string): void;
  destroy(reason: string): void;
}

/** A result with something that may happen only behind it: once the answer is on its way, `afterwards` is called. */
export class Answer<R = unknown> {
  readonly result: R;
  readonly afterwards: () => void;

  constructor({ result, afterwards }: { readonly result: R; readonly afterwards: () => void }) {
    this.result = result;
    this.afterwards = afterwards;
  }
}

/** What answers a client's messages. */
export interface RequestHandler {
  /**
   * Answers a request. Called in the order of arrival, each without waiting for the answers before it. `params` are as
   * they came: whether they are right is checked before the state of the connection, so the handler does both, with
   * `decodeParams`.
   *
   * @returns the result, or an {@link Answer} with it.
   * @throws WireError or ExecError, which is the answer then.
   */
  request(method: string, params: unknown): unknown;
  /** @returns false if there is no such notification, which ends the connection. */
  notification(name: string, params: unknown): boolean;
}
