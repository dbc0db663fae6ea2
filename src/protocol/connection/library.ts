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
 * An adapter of vscode-jsonrpc, the JSON-RPC library of VS Code's own protocols. The library matches answers with their
 * requests by id, and dispatches messages in the order of their arrival. Own code would be shorter than this adapter,
 * but the project requires the library. It gets its messages from our reader and hands them to our writer. Everything
 * that is not JSON-RPC on the wire (no `jsonrpc` member, a client's ids of 64 bits, frames of output) stays outside.
 *
 * It sees our methods under names of our own, see {@link nameInside}. Its own notifications (`$/cancelRequest`,
 * `$/progress` …) are therefore never recognized and never sent.
 */
export function createLibraryConnection(options: {
  /** Sends a message of the library after translating it to the form of the wire. */
  readonly write: (message: Message) => Promise<void>;
  /** Called with the id of a request that was given up. */
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

/** A message for the library. Its members decide whether it is a request, a notification or an answer. */
export interface FedMessage {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

const PREFIX = 'wire:';

/** The name that a method of the wire has inside the library. */
export function nameInside(method: string): string {
  return `${PREFIX}${method}`;
}

/**
 * The name that a method has on the wire. Undefined for a method of our own that is never sent, see {@link nameInside}.
 */
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
    // The transport's owner ends it.
  }
}
