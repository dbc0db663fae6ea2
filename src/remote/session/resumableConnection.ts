import {
  ConditionVariable,
  type ConnectionState,
  delay,
  disconnectedText,
  Emitter,
  ExecError,
  type LossReason,
  messageOf,
} from '../../core/index.js';
import {
  type ClientNotificationName,
  type ClientNotificationParams,
  type ClientWire,
  type ParamsOf,
  type RequestName,
  type RequestOptions,
  type ResultOf,
  WireClosedError,
} from '../../protocol/index.js';
import { openWire, refusalOf, type Greeting, type OpenWire, type WireOptions } from './openWire.js';
import { withLimit } from './withLimit.js';

export interface RecoveryOptions {
  /** How long to try; with 0 a connection that ends is lost at once. */
  readonly limitMs: number;
  readonly firstRetryMs: number;
  readonly lastRetryMs: number;
}

export interface ResumableConnectionOptions extends WireOptions {
  readonly recovery: RecoveryOptions;
}

export interface CallOptions extends RequestOptions {
  readonly timeoutMs: number;
  /** Whether to ask again, after a recovery, what the connection that ended had not answered. */
  readonly repeat?: boolean;
}

/** What `process/*` calls need of a connection session; see {@link ResumableConnection}. */
export interface Calls {
  call<M extends RequestName>(
    method: M,
    params: ParamsOf<M> | (() => ParamsOf<M>),
    options: CallOptions,
  ): Promise<ResultOf<M>>;
  callNow<M extends RequestName>(
    method: M,
    params: ParamsOf<M>,
    options?: RequestOptions,
  ): Promise<ResultOf<M>>;
  notify<N extends ClientNotificationName>(name: N, params: ClientNotificationParams<N>): void;
  readonly isConnected: boolean;
}

/**
 * One connection session, over as many connections as it takes. When one ends, the next takes the session up again;
 * until then calls wait. It is lost when that does not succeed in time, or when the server no longer has it.
 */
export class ResumableConnection implements Calls {
  readonly #options: ResumableConnectionOptions;
  /** Undefined with servers of before April 2026, whose sessions end with their connections. */
  readonly #sessionId: string | undefined;
  readonly #didChange = new Emitter<ConnectionState>();
  readonly onDidChange = this.#didChange.event;
  readonly #didResume = new Emitter<void>();
  /** Fires when another connection has taken up the session, before anything that waited for it goes on. */
  readonly onDidResume = this.#didResume.event;
  /** Aborted when it is over for good. */
  readonly #over = new AbortController();
  /** Notified when there is another connection, and when it is lost. */
  readonly #settled = new ConditionVariable();
  #wire: ClientWire | undefined;
  #state: ConnectionState = { kind: 'connected' };
  /** When the connection that there is took up the session; the first one began it. */
  #resumedAt = Number.NEGATIVE_INFINITY;
  /** How long to wait before the first attempt, once connections begin to end as soon as they are there. */
  #firstWaitMs = 0;

  /**
   * @throws ExecError of a {@link ConnectFailure}.
   */
  static async open(
    options: ResumableConnectionOptions,
    signal?: AbortSignal,
  ): Promise<{ session: ResumableConnection; greeting: Greeting }> {
    const open = await openWire(options, undefined, signal);
    return { session: new ResumableConnection(options, open), greeting: open.greeting };
  }

  private constructor(options: ResumableConnectionOptions, open: OpenWire) {
    this.#options = options;
    this.#sessionId = open.greeting.sessionId;
    this.#use(open);
  }

  get state(): ConnectionState {
    return this.#state;
  }

  get isConnected(): boolean {
    return this.#wire !== undefined;
  }

  /**
   * Asks the server; while the connection is being recovered it waits for that.
   *
   * @param params If a function, it is asked when they are sent.
   * @throws what {@link ClientWire.request} throws; ExecError if it is lost, or takes too long.
   */
  async call<M extends RequestName>(
    method: M,
    params: ParamsOf<M> | (() => ParamsOf<M>),
    { timeoutMs, signal, repeat = false }: CallOptions,
  ): Promise<ResultOf<M>> {
    const { clock } = this.#options;
    const timeout = () => new ExecError({ kind: 'noAnswer', method, seconds: timeoutMs / 1_000 });
    return withLimit({ clock, limitMs: timeoutMs, signal, timeout }, async (limited) => {
      for (;;) {
        const wire = await this.#connected(limited);
        try {
          const now = typeof params === 'function' ? params() : params;
          return await wire.request(method, now, { signal: limited });
        } catch (error) {
          if (!(error instanceof WireClosedError)) {
            throw error;
          }
          // So that the next look does not find it again.
          this.#ended(wire, error.reason);
          if (!repeat) {
            throw error;
          }
        }
      }
    });
  }

  /** Asks the server on the connection that there is. */
  async callNow<M extends RequestName>(
    method: M,
    params: ParamsOf<M>,
    options?: RequestOptions,
  ): Promise<ResultOf<M>> {
    if (this.#state.kind === 'lost') {
      throw new ExecError({ kind: 'disconnected', reason: this.#state.reason });
    }
    if (this.#wire === undefined) {
      throw new WireClosedError('not connected');
    }
    return this.#wire.request(method, params, options);
  }

  /** Tells the server, if there is a connection. */
  notify<N extends ClientNotificationName>(name: N, params: ClientNotificationParams<N>): void {
    this.#wire?.notify(name, params);
  }

  /** Ends it from this side. */
  close(): void {
    const wire = this.#wire;
    this.#lose({ kind: 'closedHere' });
    wire?.close();
  }

  #use({ wire, transport }: OpenWire): void {
    this.#wire = wire;
    wire.onEnd(({ reason }) => this.#ended(wire, reason));
    if (transport.end !== undefined) {
      // It may have told everybody already, before anybody listened here.
      const { reason } = transport.end;
      queueMicrotask(() => this.#ended(wire, reason));
    }
  }

  #ended(wire: ClientWire, ended: string): void {
    if (this.#wire !== wire) {
      return;
    }
    this.#wire = undefined;
    const { clock, recovery, log, connector } = this.#options;
    log(`The connection to ${connector.label} ended${ended === '' ? '' : `: ${ended}`}.`);
    if (recovery.limitMs <= 0 || this.#sessionId === undefined) {
      this.#lose({ kind: 'ended', ended });
      return;
    }
    const since = clock.now();
    const wasBrief = since - this.#resumedAt < recovery.lastRetryMs;
    this.#firstWaitMs = wasBrief
      ? Math.min(Math.max(this.#firstWaitMs * 2, recovery.firstRetryMs), recovery.lastRetryMs)
      : 0;
    const reason = { kind: 'ended', ended } as const;
    this.#setState({ kind: 'recovering', reason, since, until: since + recovery.limitMs });
    void this.#recover(ended, this.#sessionId);
  }

  async #recover(ended: string, sessionId: string): Promise<void> {
    const { clock, recovery, log, connector } = this.#options;
    const limit = new AbortController();
    const timer = clock.after(recovery.limitMs, () => limit.abort());
    const signal = AbortSignal.any([limit.signal, this.#over.signal]);
    let retryMs = recovery.firstRetryMs;
    let lastAttempt: string | undefined;
    if (this.#firstWaitMs > 0) {
      await delay(clock, this.#firstWaitMs, signal);
    }
    while (!signal.aborted) {
      try {
        const open = await openWire(this.#options, sessionId, signal);
        timer.dispose();
        this.#resumed(open);
        return;
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal !== undefined) {
          timer.dispose();
          this.#lose({ ...refusal, ended });
          return;
        }
        if (!isAborted(signal)) {
          lastAttempt = messageOf(error);
          log(`Not connected to ${connector.label} again yet (${lastAttempt})`);
        }
      }
      await delay(clock, retryMs, signal);
      retryMs = Math.min(retryMs * 2, recovery.lastRetryMs);
    }
    timer.dispose();
    const seconds = recovery.limitMs / 1_000;
    this.#lose({ kind: 'timedOut', ended, seconds, lastAttempt });
  }

  #resumed(open: OpenWire): void {
    if (this.#over.signal.aborted) {
      open.wire.close();
      return;
    }
    this.#resumedAt = this.#options.clock.now();
    this.#use(open);
    this.#options.log(`The connection to ${this.#options.connector.label} is back.`);
    this.#didResume.fire();
    this.#setState({ kind: 'connected' });
    this.#settled.notifyAll();
  }

  #lose(reason: LossReason): void {
    if (this.#state.kind === 'lost') {
      return;
    }
    this.#wire = undefined;
    this.#setState({ kind: 'lost', reason });
    this.#options.log(disconnectedText(reason));
    this.#over.abort(new ExecError({ kind: 'disconnected', reason }));
    this.#settled.notifyAll();
  }

  /** @throws ExecError if it is lost; the reason of `signal`. */
  async #connected(signal: AbortSignal): Promise<ClientWire> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#wire !== undefined) {
        return this.#wire;
      }
      if (this.#state.kind === 'lost') {
        throw new ExecError({ kind: 'disconnected', reason: this.#state.reason });
      }
      await this.#settled.wait(signal);
    }
  }

  #setState(state: ConnectionState): void {
    this.#state = state;
    this.#didChange.fire(state);
  }
}

/** A function, since the compiler takes a member for unchanged across an await. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
