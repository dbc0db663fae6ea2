import { setMaxListeners } from 'node:events';

import {
  type CancellationId,
  CancellationTokenSource,
  ErrorCodes,
  Message,
  type MessageConnection,
  ParameterStructures,
  ResponseError,
} from 'vscode-jsonrpc/node';
import * as z from 'zod/mini';
import {
  type Clock,
  type Disposable,
  Emitter,
  isRecord,
  maskSecrets,
  onAbort,
  systemClock,
} from '../../core/index.js';
import { cutTexts } from '../messages/cutTexts.js';
import {
  BadAnswerError,
  RequestTimeoutError,
  WireClosedError,
  WireCode,
  WireError,
} from '../messages/errors.js';
import { isErrorObject } from '../messages/clientMessage.js';
import { createLibraryConnection, type FedMessage, nameInside, nameOutside } from './library.js';
import {
  type ClientNotificationName,
  type ClientNotificationParams,
  type ParamsOf,
  type RequestName,
  requests,
  type ResultOf,
} from '../messages/methods/index.js';
import { messageText } from '../messages/messageText.js';
import { decodeOutputFrame } from '../messages/wireOutput.js';
import { notifyHandlers } from './serverNotifications.js';
import type { Transport, TransportEnd } from '../transport/transport.js';
import type { ClientWire, RequestOptions, ServerMessageHandlers } from './wireConnection.js';

/**
 * Opens the client's end of a connection on a transport.
 *
 * @param log Gets the server's senseless messages, and those meant for programmers.
 */
export function connectClient(
  transport: Transport,
  handlers: ServerMessageHandlers,
  log: (line: string) => void = () => undefined,
  clock: Clock = systemClock,
): ClientWire {
  return new ClientConnection(transport, handlers, log, clock);
}

/** Answers are handed on as they arrive; with the library's default each would wait for a turn of the event loop. */
const ANSWERS_AT_ONCE = Number.MAX_SAFE_INTEGER;

/** The library counts its requests from 0; on the wire, ids are positive. */
const FIRST_ID = 1;

const METHOD_NOT_FOUND = 'this client takes no requests';

/** The most bytes that may wait to be sent; with more, requests of the server get no answer. */
const MAX_BUFFERED_REFUSALS = 1024 * 1024;

/** The most characters of a senseless message that are logged. */
const LOGGED_CHARACTERS = 200;
/** The most that are searched for secrets before they are cut: a message can be very long. */
const MASKED_CHARACTERS = 20 * LOGGED_CHARACTERS;
/** The most lines that are logged for one connection: a server could send senseless messages without end. */
const LOGGED_LINES = 100;

/**
 * The most characters of a server's error message that are kept, since people read it, and as many of its data. The
 * longest real message contains a whole PATH.
 */
const ERROR_CHARACTERS = 32 * 1024;

class ClientConnection implements ClientWire {
  readonly #transport: Transport;
  readonly #handlers: ServerMessageHandlers;
  readonly #log: (line: string) => void;
  readonly #clock: Clock;
  readonly #connection: MessageConnection;
  readonly #feed: (message: FedMessage) => void;
  readonly #end = new Emitter<TransportEnd>();
  readonly onEnd = this.#end.event;
  readonly #pending = new Set<Promise<unknown>>();

  constructor(
    transport: Transport,
    handlers: ServerMessageHandlers,
    log: (line: string) => void,
    clock: Clock,
  ) {
    this.#transport = transport;
    this.#handlers = handlers;
    this.#log = limited(log);
    this.#clock = clock;
    const { connection, feed } = createLibraryConnection({
      write: (message) => this.#write(message),
      forget: (id) => this.#forget(id),
      maxParallelism: ANSWERS_AT_ONCE,
    });
    this.#connection = connection;
    this.#feed = feed;
    connection.listen();
    transport.onEnd((end) => this.#ended(end));
    transport.onMessage = (text) => this.#take(text);
    if (transport.end !== undefined) {
      this.#ended(transport.end);
    }
  }

  request<M extends RequestName>(
    method: M,
    params: ParamsOf<M>,
    options: RequestOptions = {},
  ): Promise<ResultOf<M>> {
    const answer = this.#request(method, params, options);
    this.#pending.add(answer);
    const forget = () => void this.#pending.delete(answer);
    answer.then(forget, forget);
    return answer;
  }

  notify<N extends ClientNotificationName>(name: N, params: ClientNotificationParams<N>): void {
    this.#transport.send(messageText({ method: name, params }));
  }

  acceptOutputFrames(): boolean {
    if (this.#transport.carriesBytes) {
      this.#transport.onBytes = (bytes) => this.#takeBytes(bytes);
    }
    return this.#transport.carriesBytes;
  }

  close(reason?: string): void {
    this.#transport.close(reason);
  }

  destroy(reason: string): void {
    this.#transport.destroy(reason);
  }

  async #request<M extends RequestName>(
    method: M,
    params: ParamsOf<M>,
    options: RequestOptions,
  ): Promise<ResultOf<M>> {
    options.signal?.throwIfAborted();
    this.#throwIfEnded();
    const source = new CancellationTokenSource();
    const limit = new RequestLimit(this.#clock, method, options);
    try {
      const answer = this.#connection.sendRequest(
        nameInside(method),
        ParameterStructures.byName,
        params,
        source.token,
      );
      return readResult(method, await Promise.race([answer, limit.over]));
    } catch (error) {
      if (error instanceof ResponseError) {
        if (error.code === ErrorCodes.PendingResponseRejected) {
          this.#throwIfEnded();
        }
        throw answeredError(method, error);
      }
      // After any other error no caller waits for the answer any more; the library forgets the request.
      source.cancel();
      throw error;
    } finally {
      limit.dispose();
      source.dispose();
    }
  }

  #throwIfEnded(): void {
    const { end } = this.#transport;
    if (end !== undefined) {
      throw new WireClosedError(end.reason, end.final);
    }
  }

  #take(text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      this.#log(`Not a message: ${startOf(text)}`);
      return;
    }
    if (!isRecord(message)) {
      this.#log(`Not a message: ${startOf(text)}`);
    } else if (typeof message['method'] !== 'string') {
      this.#takeAnswer(message, text);
    } else if ('id' in message) {
      this.#refuse(message['id'], text);
    } else {
      notifyHandlers(this.#handlers, message['method'], message['params'], this.#log);
    }
  }

  #takeBytes(bytes: Buffer): void {
    const output = decodeOutputFrame(bytes);
    if (output === undefined) {
      this.#log(`Not an output frame: ${bytes.toString('hex', 0, LOGGED_CHARACTERS / 2)}`);
    } else {
      this.#handlers.outputFrame?.(output);
    }
  }

  /**
   * Refuses a request of the server. An id that cannot be repeated exactly gets no answer, since real servers end the
   * connection at an unknown id. If too many bytes wait already, there is no answer either: refusals must not fill the
   * memory.
   */
  #refuse(id: unknown, text: string): void {
    const known = typeof id === 'string' || Number.isSafeInteger(id);
    if (known && this.#transport.bufferedBytes <= MAX_BUFFERED_REFUSALS) {
      const error = { code: WireCode.methodNotFound, message: METHOD_NOT_FOUND };
      this.#transport.send(messageText({ error, id }));
    } else {
      this.#log(`The server asks: ${startOf(text)}`);
    }
  }

  #takeAnswer(message: Readonly<Record<string, unknown>>, text: string): void {
    const { id, result, error } = message;
    if (typeof id !== 'number' || id < FIRST_ID) {
      this.#log(`The server says: ${startOf(text)}`);
      return;
    }
    const whole = error === undefined || error === null ? { result: result ?? null } : readError(error);
    this.#feed({ id: id - FIRST_ID, ...whole });
  }

  /**
   * Feeds the library an empty answer to a request that was given up. The library then ignores the real answer if it
   * arrives later.
   */
  #forget(id: CancellationId): void {
    this.#feed({ id, result: null });
  }

  #write(message: Message): Promise<void> {
    if (!Message.isRequest(message) || typeof message.id !== 'number') {
      throw new Error('The library sent an unexpected message.');
    }
    const { id, method, params } = message;
    this.#transport.send(messageText({ id: id + FIRST_ID, method: nameOutside(method), params }));
    return Promise.resolve();
  }

  #ended(end: TransportEnd): void {
    this.#connection.dispose();
    void Promise.allSettled([...this.#pending]).then(() => this.#end.fire(end));
  }
}

function startOf(message: string): string {
  return maskSecrets(message.slice(0, MASKED_CHARACTERS)).slice(0, LOGGED_CHARACTERS);
}

/** Reads the error of an answer. The library passes any value on; NaN as the code marks a malformed error. */
function readError(error: unknown): { readonly error: unknown } {
  return { error: isErrorObject(error) ? error : { code: NaN, message: '' } };
}

function limited(log: (line: string) => void): (line: string) => void {
  let left = LOGGED_LINES;
  return (line) => {
    if (left > 0) {
      left -= 1;
      log(left > 0 ? line : `${line} (Further malformed messages of this server are not logged.)`);
    }
  };
}

function answeredError(method: string, { code, message, data }: ResponseError<unknown>): Error {
  return Number.isNaN(code)
    ? new BadAnswerError(method, 'error', 'it has no code and message')
    : new WireError(code, message.slice(0, ERROR_CHARACTERS), cutTexts(data, ERROR_CHARACTERS));
}

/** @throws BadAnswerError if the answer does not fit the method. */
function readResult<M extends RequestName>(method: M, answer: unknown): ResultOf<M> {
  const schemas: { readonly [N in RequestName]: { readonly result: z.core.$ZodType<ResultOf<N>> } } =
    requests;
  const result = z.safeParse(schemas[method].result, answer);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new BadAnswerError(method, issue?.path.join('.') ?? '', issue?.message ?? 'it is of another kind');
  }
  return result.data;
}

/** The limits of a wait for an answer: a time, and a signal that gives up. */
class RequestLimit implements Disposable {
  /** Rejects when the time is over, with a RequestTimeoutError, or when the signal is aborted, with its reason. */
  readonly over: Promise<never>;
  readonly #timer: Disposable | undefined;
  readonly #aborted: Disposable;

  constructor(clock: Clock, method: RequestName, { timeoutMs, signal }: RequestOptions) {
    let giveUp: (reason: unknown) => void = () => undefined;
    this.over = new Promise((_, reject) => (giveUp = reject));
    if (timeoutMs !== undefined) {
      this.#timer = clock.after(timeoutMs, () => giveUp(new RequestTimeoutError(method, timeoutMs)));
    }
    if (signal !== undefined) {
      // One signal may serve any number of requests; Node would warn at the eleventh listener.
      setMaxListeners(0, signal);
    }
    this.#aborted = onAbort(signal, () => giveUp(signal?.reason));
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#aborted.dispose();
  }
}
