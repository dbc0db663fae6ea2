import { Emitter, ExecError } from '../../../src/core/index.js';
import type { Transport, TransportEnd } from '../../../src/protocol/index.js';
import type { Connector } from '../../../src/remote/index.js';

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The answer of a server: a result, an error, or nothing for now. */
export type Answer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }
  | undefined;

/** One connection to a {@link FakeServer}, without a network. */
class FakeTransport implements Transport {
  readonly peer = 'fake';
  onMessage: (message: string) => void = () => undefined;
  readonly carriesBytes = true;
  onBytes: ((message: Buffer) => void) | undefined;
  readonly #ended = new Emitter<TransportEnd>();
  readonly onEnd = this.#ended.event;
  end: TransportEnd | undefined;
  readonly bufferedBytes = 0;
  readonly #server: FakeServer;

  constructor(server: FakeServer) {
    this.#server = server;
  }

  send(message: string | Buffer): void {
    if (this.end === undefined) {
      this.#server.take(JSON.parse(message.toString()) as Message, this);
    }
  }

  sendBytes(): void {
    throw new Error('Clients send text.');
  }

  setPaused(): void {
    // There is no network to pause.
  }

  close(reason = 'closed'): void {
    this.destroy(reason);
  }

  destroy(reason: string): void {
    if (this.end === undefined) {
      this.end = { reason };
      this.#ended.fire(this.end);
    }
  }
}

/** An exec-server that answers as a test wants. It does the handshake by itself. */
export class FakeServer {
  readonly connector: Connector = {
    label: 'the fake',
    connect: (signal, again) => this.#connect(signal, again),
  };
  /** The requests so far, with the number of their connection. */
  readonly asked: (Message & { readonly connection: number })[] = [];
  /** The times of all attempts to connect, by the fake clock. */
  readonly attempts: number[] = [];
  /** The number of attempts that were told that they take the place of an earlier connection. */
  attemptsAgain = 0;
  /** `refuse`: an attempt fails. `absent`: nothing listens. `silent`: connects, but does not answer. `hang`: does not even connect. */
  reach: 'ok' | 'refuse' | 'absent' | 'silent' | 'hang' = 'ok';
  /** The facts about itself in its first answer, besides the session. */
  greeting: Readonly<Record<string, unknown>> = { environmentInfo: { platformOs: 'linux' } };
  answer: (method: string, params: Readonly<Record<string, unknown>>) => Answer = () => ({ result: {} });
  /** The answer to a client that takes up a session again. */
  resume: () => Answer = () => ({ result: { sessionId: 'session-1', ...this.greeting } });
  readonly #now: () => number;
  readonly #transports: FakeTransport[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  take(message: Message, transport: FakeTransport): void {
    this.asked.push({ ...message, connection: this.#transports.indexOf(transport) + 1 });
    if (message.id === undefined || this.reach === 'silent') {
      return;
    }
    const { id, method, params } = message;
    // As over a network, the answer never comes before the sender has continued.
    queueMicrotask(() => {
      const answer = method === 'initialize' ? this.#greet(params) : this.answer(method, params);
      if (answer !== undefined && transport.end === undefined) {
        transport.onMessage(JSON.stringify({ id, ...answer }));
      }
    });
  }

  notify(method: string, params: unknown): void {
    this.#transports.at(-1)?.onMessage(JSON.stringify({ method, params }));
  }

  /** @returns Whether there was a listener. */
  sendBytes(message: Buffer): boolean {
    const listener = this.#transports.at(-1)?.onBytes;
    listener?.(message);
    return listener !== undefined;
  }

  cut(reason = 'the cable was cut'): void {
    this.#transports.at(-1)?.destroy(reason);
  }

  /** The methods of the requests in a connection, without the handshake. */
  methods(connection: number): string[] {
    return this.asked
      .filter((message) => message.connection === connection && !message.method.startsWith('initialize'))
      .map(({ method }) => method);
  }

  #greet(params: Readonly<Record<string, unknown>>): Answer {
    return typeof params['resumeSessionId'] === 'string'
      ? this.resume()
      : { result: { sessionId: 'session-1', ...this.greeting } };
  }

  #connect(signal: AbortSignal, again = false): Promise<Transport> {
    this.attempts.push(this.#now());
    this.attemptsAgain += again ? 1 : 0;
    if (this.reach === 'refuse') {
      return Promise.reject(new Error('refused'));
    }
    if (this.reach === 'absent') {
      return Promise.reject(new ExecError({ kind: 'connectionRefused', target: 'the fake' }));
    }
    if (this.reach === 'hang') {
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    }
    const transport = new FakeTransport(this);
    this.#transports.push(transport);
    return Promise.resolve(transport);
  }
}
