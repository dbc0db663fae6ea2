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
  readonly #sent = new Emitter<void>();
  /** The characters of its answers that its client has not taken. */
  unsentCharacters = 0;
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

  /** The client takes answers, up to these characters. */
  takesUpTo(unsentCharacters: number): void {
    this.unsentCharacters = unsentCharacters;
    this.#sent.fire();
  }

  #makeWire(): ServerWire {
    const unsentCharacters = () => this.unsentCharacters;
    const { notified } = this;
    return {
      onEnd: new Emitter<TransportEnd>().event,
      onSent: this.#sent.event,
      get unsentCharacters() {
        return unsentCharacters();
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
      upToDate: () => Promise.resolve(),
      close: () => undefined,
      destroy: () => undefined,
    };
  }
}
