import { Emitter } from '../../../src/core/index.js';
import type {
  ServerNotificationName,
  ServerNotificationParams,
  ServerWire,
  TransportEnd,
} from '../../../src/protocol/index.js';
import { DEFAULT_QUOTAS } from '../../../src/server/quotas.js';
import type { ConnectionContext } from '../../../src/server/methods/methodHandlers.js';

export interface Notified {
  readonly name: string;
  readonly params: unknown;
  /** Reports that the message has left. */
  readonly flush: () => void;
}

/** A connection whose messages a test sees, and for which it decides when they have left. */
export class FakeConnection implements ConnectionContext {
  readonly #abort = new AbortController();
  readonly signal = this.#abort.signal;
  readonly environment = { hostEnv: {}, cwd: '/' };
  readonly quotas = DEFAULT_QUOTAS;
  readonly notified: Notified[] = [];
  bufferedBytes = 0;
  /** Messages leave as soon as they are sent. */
  flushAtOnce = false;
  readonly wire: ServerWire = this.#makeWire();

  onEnd(dispose: () => void) {
    this.signal.addEventListener('abort', dispose);
    return { dispose: () => this.signal.removeEventListener('abort', dispose) };
  }

  end(): void {
    this.#abort.abort(new Error('the connection has ended'));
  }

  #makeWire(): ServerWire {
    const bufferedBytes = () => this.bufferedBytes;
    const { notified } = this;
    return {
      onEnd: new Emitter<TransportEnd>().event,
      get bufferedBytes() {
        return bufferedBytes();
      },
      notify: <N extends ServerNotificationName>(
        name: N,
        params: ServerNotificationParams<N>,
        flush: () => void = () => undefined,
      ) => {
        notified.push({ name, params, flush });
        if (this.flushAtOnce) flush();
      },
      sendOutput: () => undefined,
      useOutputFrames: () => undefined,
      close: () => undefined,
      destroy: () => undefined,
    };
  }
}
