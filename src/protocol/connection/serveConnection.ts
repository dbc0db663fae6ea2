import { Message, ResponseError, type MessageConnection } from 'vscode-jsonrpc/node';

import { Emitter, errorOf, ExecError } from '../../core/index.js';
import { parseClientMessage, type ClientMessage } from '../messages/clientMessage.js';
import { MAX_UNANSWERED_REQUESTS } from '../limits.js';
import { Intake } from './intake.js';
import { createLibraryConnection, nameInside, nameOutside, type FedMessage } from './library.js';
import { messageText } from '../messages/messageText.js';
import type { ServerNotificationName, ServerNotificationParams } from '../messages/methods/index.js';
import { encodeOutputFrame, outputMessage, type WireOutput } from '../messages/wireOutput.js';
import { MessageFault } from '../messages/scanMessage.js';
import type { Transport, TransportEnd } from '../transport/transport.js';
import { Answer, type RequestHandler, type ServerWire } from './wireConnection.js';
import { WireCode, WireError } from '../messages/errors.js';

/**
 * Serves one client: hands its messages to the handler, in the order of their arrival, and sends the handler's answers.
 *
 * @param log Gets our own faults: errors of a handler that are not answers.
 * @param mostUnanswered The most requests without an answer; with more, reading pauses.
 */
export function serveConnection(
  transport: Transport,
  handlerFor: (wire: ServerWire) => RequestHandler,
  log: (line: string) => void = () => undefined,
  mostUnanswered = MAX_UNANSWERED_REQUESTS,
): ServerWire {
  return new ServerConnection(transport, handlerFor, log, mostUnanswered);
}

/** The method of a mark: an entry in the queue of the client's messages that runs something in its turn. */
const MARK = 'mark';

class ServerConnection implements ServerWire {
  readonly #transport: Transport;
  readonly #handler: RequestHandler;
  readonly #log: (line: string) => void;
  readonly #connection: MessageConnection;
  readonly #feed: (message: FedMessage) => void;
  readonly #intake: Intake;
  readonly #end = new Emitter<TransportEnd>();
  readonly onEnd = this.#end.event;
  readonly #sent = new Emitter<void>();
  readonly onSent = this.#sent.event;
  /**
   * The client's ids as it wrote them, by our own numbers of the requests. A client may use an id twice, and ids of 64
   * bits.
   */
  readonly #ids = new Map<number, string>();
  #lastRequest = 0;
  /** The functions of the marks in the queue, by their numbers. */
  readonly #marked = new Map<unknown, () => void>();
  #lastMark = 0;
  /** Whether the client has broken the rules: all its later messages are ignored. */
  #cutOff = false;
  #outputFrames = false;

  constructor(
    transport: Transport,
    handlerFor: (wire: ServerWire) => RequestHandler,
    log: (line: string) => void,
    mostUnanswered: number,
  ) {
    this.#transport = transport;
    this.#log = log;
    this.#intake = new Intake((paused) => transport.setPaused(paused), mostUnanswered);
    const { connection, feed } = createLibraryConnection({ write: (message) => this.#write(message) });
    this.#connection = connection;
    this.#feed = feed;
    connection.onRequest((method, params) => this.#answer(method, params));
    connection.onNotification((method, params: unknown) => this.#notified(method, params));
    connection.listen();
    this.#handler = handlerFor(this);
    transport.onEnd((end) => this.#inTurn(() => this.#ended(end)));
    transport.onMessage = (text) => this.#take(text);
    const { end } = transport;
    if (end !== undefined) {
      this.#inTurn(() => this.#ended(end));
    }
  }

  get unsentCharacters(): number {
    return this.#intake.unsentCharacters;
  }

  notify<N extends ServerNotificationName>(
    name: N,
    params: ServerNotificationParams<N>,
    flushed?: () => void,
  ): void {
    if (this.#transport.end === undefined) {
      void this.#connection.sendNotification(nameInside(name), params).then(flushed);
    }
  }

  sendOutput(output: WireOutput, flushed?: () => void): void {
    const frame = this.#outputFrames ? encodeOutputFrame(output) : undefined;
    if (frame === undefined) {
      this.#transport.send(outputMessage(output), flushed);
    } else {
      this.#transport.sendBytes(frame, flushed);
    }
  }

  useOutputFrames(): void {
    this.#outputFrames = this.#transport.carriesBytes;
  }

  upToDate(): Promise<void> {
    return new Promise((resolve) => {
      const ended = this.onEnd(() => resolve());
      this.#inTurn(() => {
        ended.dispose();
        resolve();
      });
    });
  }

  close(reason?: string): void {
    this.#transport.close(reason);
  }

  destroy(reason: string): void {
    this.#transport.destroy(reason);
  }

  #take(text: string): void {
    let message: ClientMessage;
    try {
      message = parseClientMessage(text);
    } catch (error) {
      this.#inTurn(this.#refusal(error instanceof MessageFault ? error.message : String(error)));
      return;
    }
    if (message.kind === 'answer') {
      this.#inTurn(() => this.#cut('the client answered a request that nobody made'));
      return;
    }
    const method = nameInside(message.method);
    this.#intake.arrived();
    if (message.kind === 'notification') {
      this.#feed({ method, params: message.params });
      return;
    }
    this.#lastRequest += 1;
    const id = this.#lastRequest;
    this.#ids.set(id, message.id);
    this.#intake.asked(id, text.length);
    this.#feed({ id, method, params: message.params });
  }

  #inTurn(run: () => void): void {
    this.#intake.arrived();
    this.#lastMark += 1;
    this.#marked.set(this.#lastMark, run);
    this.#feed({ method: MARK, params: this.#lastMark });
  }

  async #answer(name: string, params: unknown): Promise<unknown> {
    this.#intake.begun();
    if (this.#cutOff) {
      return null;
    }
    const method = nameOutside(name) ?? name;
    try {
      return await this.#handler.request(method, params);
    } catch (error) {
      return this.#errorAnswer(method, error);
    }
  }

  #errorAnswer(method: string, error: unknown): ResponseError<unknown> {
    if (error instanceof WireError) {
      return new ResponseError(error.code, error.message, error.data);
    }
    if (error instanceof ExecError) {
      return new ResponseError(error.code, error.wireMessage, { failure: error.failure });
    }
    return new ResponseError(WireCode.internal, this.#logFault(method, error));
  }

  /** @returns the message of the error. */
  #logFault(what: string, error: unknown): string {
    const fault = errorOf(error);
    this.#log(`${what} failed: ${fault.stack ?? fault.message}`);
    return fault.message;
  }

  #notified(name: string, params: unknown): void {
    this.#intake.begun();
    const method = nameOutside(name);
    if (method === undefined) {
      const run = this.#marked.get(params);
      this.#marked.delete(params);
      run?.();
    } else if (!this.#cutOff) {
      this.#clientNotified(method, params);
    }
  }

  #cut(reason: string): void {
    this.#cutOff = true;
    this.#transport.destroy(reason);
  }

  #ended(end: TransportEnd): void {
    this.#connection.dispose();
    this.#end.fire(end);
  }

  #clientNotified(name: string, params: unknown): void {
    try {
      if (!this.#handler.notification(name, params)) {
        this.#cut(`the client sent the notification ${name}, which does not belong here`);
      }
    } catch (error) {
      this.#logFault(name, error);
    }
  }

  /**
   * Prepares the error answer to a message that cannot be read. It counts as an answer: a client that does not take
   * answers has to wait.
   *
   * @returns a function that sends it.
   */
  #refusal(reason: string): () => void {
    const { peer } = this.#transport;
    const kind = peer.startsWith('websocket') ? 'websocket JSON-RPC' : 'JSON-RPC';
    const message = `failed to parse ${kind} message from exec-server ${peer}: ${reason}`;
    const text = messageText({ error: { code: WireCode.invalidRequest, message }, id: -1 });
    this.#lastRequest += 1;
    const request = this.#lastRequest;
    this.#intake.asked(request, text.length);
    return () => this.#sendAnswer(request, text);
  }

  /** Sends a message of the library in the form of the wire: without `jsonrpc`, and with the client's own id. */
  #write(message: Message): Promise<void> {
    if (Message.isResponse(message) && typeof message.id === 'number') {
      const request = message.id;
      // The library passes on the handler's value unchanged.
      const outcome: unknown = message.result;
      const answer = outcome instanceof Answer ? outcome : undefined;
      const text = this.#answerText(request, message.error, answer === undefined ? outcome : answer.result);
      const flushed = new Promise<void>((resolve) => this.#sendAnswer(request, text, resolve));
      this.#runAfterwards(answer);
      return flushed;
    }
    const notification = notificationText(message);
    return new Promise((flushed) => this.#transport.send(notification, flushed));
  }

  #runAfterwards(answer: Answer | undefined): void {
    try {
      answer?.afterwards();
    } catch (error) {
      this.#logFault('The work after an answer', error);
    }
  }

  /**
   * Sends an answer. The request counts until the system has taken the answer: until then it is in our memory, and the
   * client may never read.
   */
  #sendAnswer(request: number, text: string, flushed?: () => void): void {
    this.#intake.sending(text.length);
    this.#transport.send(text, () => {
      this.#intake.sent(text.length);
      this.#intake.answered(request);
      this.#sent.fire();
      flushed?.();
    });
  }

  #answerText(request: number, error: unknown, result: unknown): string {
    const id = this.#ids.get(request) ?? '-1';
    this.#ids.delete(request);
    try {
      return error === undefined
        ? `{"id":${id},"result":${messageText(result)}}`
        : `{"error":${messageText(error)},"id":${id}}`;
    } catch (fault) {
      const message = this.#logFault('Writing an answer', fault);
      return `{"error":${messageText({ code: WireCode.internal, message })},"id":${id}}`;
    }
  }
}

function notificationText(message: Message): string {
  if (!Message.isNotification(message)) {
    throw new Error('The library sent an unexpected message.');
  }
  return messageText({ method: nameOutside(message.method), params: message.params });
}
