import {
  CLOSED_HERE,
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
  /** The time for attempts to resume; with 0 the session is lost as soon as its connection ends. */
  readonly limitMs: number;
  readonly firstRetryMs: number;
  readonly lastRetryMs: number;
}

export interface ResumableConnectionOptions extends WireOptions {
  readonly recovery: RecoveryOptions;
}

export interface CallOptions extends RequestOptions {
  readonly timeoutMs: number;
  /** Whether to repeat the request after a recovery, if the connection ended before the answer. */
  readonly repeat?: boolean;
}

/** The part of a connection session that calls need; see {@link ResumableConnection}. */
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
 * A connection session, which can outlive its connections. When one ends, the next one resumes the session; until then
 * calls wait. The session is lost when that does not succeed in time, or when the server no longer has the session.
 */
export class ResumableConnection implements Calls {
  readonly #options: ResumableConnectionOptions;
  /** Undefined with servers of before April 2026, whose sessions end with their connection. */
  readonly #sessionId: string | undefined;
  readonly #didChange = new Emitter<ConnectionState>();
  readonly onDidChange = this.#didChange.event;
  readonly #didResume = new Emitter<void>();
  /** Fires when another connection has resumed the session, before waiting calls continue. */
  readonly onDidResume = this.#didResume.event;
  /** Aborted when the session is lost or closed. */
  readonly #over = new AbortController();
  /** Notified when there is another connection, and when the session is lost. */
  readonly #settled = new ConditionVariable();
  #wire: ClientWire | undefined;
  #state: ConnectionState = { kind: 'connected' };
  /** The time at which the current connection resumed the session; the first connection did not resume it. */
  #resumedAt = Number.NEGATIVE_INFINITY;
  /** The wait before the first attempt: more than 0 once connections end soon after they resumed the session. */
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
   * Sends a request and waits for the answer. While the connection is being recovered, the request waits.
   *
   * @param params If a function, it is called just before each sending.
   * @throws the errors of {@link ClientWire.request}; ExecError if the session is lost, or the call takes too long.
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
          // The end is noted at once, so that the next attempt does not use this connection again.
          this.#ended(wire, error.reason);
          if (!repeat) {
            throw error;
          }
        }
      }
    });
  }

  /**
   * Sends a request on the current connection, without waiting for a recovery and without repeating.
   *
   * @throws the errors of {@link ClientWire.request}, a WireClosedError also if there is no connection now; ExecError
   *   if the session is lost.
   */
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

  /** Sends a notification, if there is a connection. */
  notify<N extends ClientNotificationName>(name: N, params: ClientNotificationParams<N>): void {
    this.#wire?.notify(name, params);
  }

  /** Ends the session from this side. */
  close(): void {
    const wire = this.#wire;
    this.#lose({ kind: 'closedHere' });
    wire?.close(CLOSED_HERE);
  }

  #use({ wire, transport }: OpenWire): void {
    this.#wire = wire;
    wire.onEnd(({ reason }) => this.#ended(wire, reason));
    if (transport.end !== undefined) {
      // The end may have been announced before this listener was added.
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

  /**
   * Waits until there is a connection.
   *
   * @throws ExecError if the session is lost; the reason of `signal`.
   */
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

/** A function, since the compiler assumes that a member stays unchanged across an await. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
