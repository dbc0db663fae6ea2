import {
  AbstractMessageReader,
  AbstractMessageWriter,
  CancellationTokenSource,
  createMessageConnection,
  NullLogger,
  type CancellationId,
  type ConnectionOptions,
  type DataCallback,
  type Message,
  type MessageConnection,
} from 'vscode-jsonrpc/node';

/**
 * A connection of vscode-jsonrpc whose messages come from us and go to us. The library matches answers and requests and
 * keeps their order; everything in which the wire is not JSON-RPC stays outside. It knows our methods by names of our
 * own, see {@link nameInside}, so that none of its own notifications (`$/cancelRequest`, `$/progress` …) is ever met,
 * and none is ever sent.
 */
export function createLibraryConnection(options: {
  /** Sends a message of the library, in our form. */
  readonly write: (message: Message) => Promise<void>;
  /** A request will not be waited for any longer. */
  readonly forget?: (id: CancellationId) => void;
  readonly maxParallelism?: number;
}): { readonly connection: MessageConnection; readonly feed: (message: FedMessage) => void } {
  const reader = new FedReader();
  const connectionOptions: ConnectionOptions = {
    cancellationStrategy: {
      receiver: { createCancellationTokenSource: () => new CancellationTokenSource() },
      sender: {
        sendCancellation: (_, id) => Promise.resolve(options.forget?.(id)),
        cleanup: () => undefined,
      },
    },
    ...(options.maxParallelism === undefined ? {} : { maxParallelism: options.maxParallelism }),
  };
  const writer = new HandingWriter(options.write);
  const connection = createMessageConnection(reader, writer, NullLogger, connectionOptions);
  return { connection, feed: (message) => reader.feed(message) };
}

/** A message for the library: a request, a notification or an answer, by the members that it has. */
export interface FedMessage {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

const PREFIX = 'wire:';

/** What a method of the wire is called inside the library. */
export function nameInside(method: string): string {
  return `${PREFIX}${method}`;
}

/** What a method is called on the wire. Undefined: it is a mark of our own, see {@link nameInside}. */
export function nameOutside(method: string): string | undefined {
  return method.startsWith(PREFIX) ? method.slice(PREFIX.length) : undefined;
}

class FedReader extends AbstractMessageReader {
  #callback: DataCallback | undefined;

  override listen(callback: DataCallback): { dispose: () => void } {
    this.#callback = callback;
    return { dispose: () => (this.#callback = undefined) };
  }

  feed(message: FedMessage): void {
    const whole = { jsonrpc: '2.0', ...message };
    this.#callback?.(whole);
  }
}

class HandingWriter extends AbstractMessageWriter {
  readonly #write: (message: Message) => Promise<void>;

  constructor(write: (message: Message) => Promise<void>) {
    super();
    this.#write = write;
  }

  write(message: Message): Promise<void> {
    return this.#write(message);
  }

  end(): void {
    // Transports are ended by those who have them.
  }
}
