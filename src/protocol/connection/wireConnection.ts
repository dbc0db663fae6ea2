import type { Event } from '../../core/index.js';
import type {
  ClientNotificationName,
  ClientNotificationParams,
  ParamsOf,
  RequestName,
  ResultOf,
  ServerNotificationName,
  ServerNotificationParams,
} from '../messages/methods/index.js';
import type { WireOutput } from '../messages/wireOutput.js';
import type { TransportEnd } from '../transport/transport.js';

export interface RequestOptions {
  /** The time to wait for the answer, in milliseconds; without end by default. */
  readonly timeoutMs?: number | undefined;
  /**
   * Gives up waiting when it is aborted. Nothing is sent: the real server drops a connection on which it gets
   * `$/cancelRequest`.
   */
  readonly signal?: AbortSignal | undefined;
}

/** The client's end of a connection. */
export interface ClientWire {
  /** Fires once. Before it fires, requests without an answer reject with a {@link WireClosedError}. */
  readonly onEnd: Event<TransportEnd>;
  /**
   * Sends a request and waits for the answer.
   *
   * @throws WireError if that is the server's answer; {@link WireClosedError} if the connection ends first; {@link
   *   BadAnswerError} if the answer makes no sense; {@link RequestTimeoutError}; the reason of `signal`.
   */
  request<M extends RequestName>(
    method: M,
    params: ParamsOf<M>,
    options?: RequestOptions,
  ): Promise<ResultOf<M>>;
  notify<N extends ClientNotificationName>(name: N, params: ClientNotificationParams<N>): void;
  /**
   * Takes output as frames from now on if the connection can carry them.
   *
   * @returns whether it can; only then may the server be asked for frames.
   */
  acceptOutputFrames(): boolean;
  close(reason?: string): void;
  destroy(reason: string): void;
}

/**
 * The handlers of a server's notifications. Unknown ones are ignored and senseless ones logged; the handlers get
 * neither.
 */
export type ServerNotificationHandlers = {
  readonly [N in ServerNotificationName]?: (params: ServerNotificationParams<N>) => void;
};

/** The handlers of all messages that a server sends without a request. */
export interface ServerMessageHandlers extends ServerNotificationHandlers {
  /**
   * Gets output that arrived as a frame: see {@link ClientWire.acceptOutputFrames}. Its bytes are lent: they may be
   * overwritten as soon as this has returned.
   */
  readonly outputFrame?: (output: WireOutput) => void;
}

/** The server's end of a connection. */
export interface ServerWire {
  readonly onEnd: Event<TransportEnd>;
  /** The characters of the answers that the system has not taken. */
  readonly unsentCharacters: number;
  /** Fires when the system has taken an answer. */
  readonly onSent: Event<void>;
  /** @param flushed Called once the message has been handed to the system. */
  notify<N extends ServerNotificationName>(
    name: N,
    params: ServerNotificationParams<N>,
    flushed?: () => void,
  ): void;
  /** Sends output directly and not through the library, since this is the hot path. */
  sendOutput(output: WireOutput, flushed?: () => void): void;
  /** Sends output as frames from now on, if the connection can carry them. Only for a client that asked for them. */
  useOutputFrames(): void;
  /** Resolves once all messages that have arrived by now have been handed to the handler, or at the end. */
  upToDate(): Promise<void>;
  close(reason?: string): void;
  destroy(reason: string): void;
}

/** A result with an action that must follow it: `afterwards` is called once the answer has been queued. */
export class Answer<R = unknown> {
  readonly result: R;
  readonly afterwards: () => void;

  constructor({ result, afterwards }: { readonly result: R; readonly afterwards: () => void }) {
    this.result = result;
    this.afterwards = afterwards;
  }
}

/** The handler of a client's messages. */
export interface RequestHandler {
  /**
   * Answers a request. Called in the order of arrival, without waiting for earlier answers. The `params` are unchecked:
   * the state of the connection is checked first, so the handler checks both, with `decodeParams`.
   *
   * @returns the result, or an {@link Answer} with it.
   * @throws WireError or ExecError, which becomes the answer.
   */
  request(method: string, params: unknown): unknown;
  /** @returns false if there is no such notification, which ends the connection. */
  notification(name: string, params: unknown): boolean;
}
