import {
  ConditionVariable,
  type ConnectionState,
  disconnectedText,
  Emitter,
  ExecError,
  type LossReason,
  lossOnWire,
} from '../../core/index.js';
import {
  type ClientNotificationName,
  type ClientNotificationParams,
  type ClientWire,
  type ParamsOf,
  type RequestName,
  type RequestOptions,
  type ResultOf,
  type Transport,
  type TransportEnd,
  WireClosedError,
} from '../../protocol/index.js';
import {
  type Greeting,
  isHandshakeMissed,
  openWire,
  type OpenWire,
  resumeEarlier,
  type WireOptions,
} from './openWire.js';
import { Recovery, type RecoveryOptions } from './recovery.js';
import { silentAfterMs, SilenceWatch } from './silenceWatch.js';
import { withLimit } from './withLimit.js';

interface ResumableConnectionOptions extends WireOptions {
  readonly recovery: RecoveryOptions;
}

export interface CallOptions extends RequestOptions {
  readonly timeoutMs: number;
  /** Whether to repeat the request after a recovery, if the connection ended before the answer. */
  readonly repeat?: boolean;
  /** Whether to wait while the line is silent: what is sent then may be read after this side has given it up. */
  readonly unlessSilent?: boolean;
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
 * calls wait. The session is lost if that does not succeed in time, or if the server no longer has the session.
 */
export class ResumableConnection implements Calls {
  /** The id of the session. */
  readonly sessionId: string;
  readonly #options: ResumableConnectionOptions;
  readonly #didChange = new Emitter<ConnectionState>();
  readonly onDidChange = this.#didChange.event;
  readonly #didResume = new Emitter<void>();
  /** Fires when another connection has resumed the session, before waiting calls continue. */
  readonly onDidResume = this.#didResume.event;
  /** Notified when there is another connection, and when the session is lost. */
  readonly #settled = new ConditionVariable();
  /** The current connection; it may have fallen silent while a recovery is under way. */
  #wire: ClientWire | undefined;
  #recovery: Recovery | undefined;
  #state: ConnectionState = { kind: 'connected' };
  /** The time at which the current connection resumed the session; the first connection did not resume it. */
  #resumedAt = Number.NEGATIVE_INFINITY;
  /** The wait before the first attempt: more than 0 once connections end soon after they resumed the session. */
  #firstWaitMs = 0;

  /**
   * @param earlier The session of an earlier client, which is resumed if the server still has it.
   * @throws ExecError of a {@link ConnectFailure}.
   */
  static async open(
    options: ResumableConnectionOptions,
    signal?: AbortSignal,
    earlier?: string,
  ): Promise<{ session: ResumableConnection; greeting: Greeting }> {
    const resumed = earlier === undefined ? undefined : await resumeEarlier(options, earlier, signal);
    const open = resumed ?? (await openWire(options, undefined, signal));
    return { session: new ResumableConnection(options, open), greeting: open.greeting };
  }

  private constructor(options: ResumableConnectionOptions, open: OpenWire) {
    this.#options = options;
    this.sessionId = open.greeting.sessionId;
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
   * @throws the errors of {@link ClientWire.request}; a WireClosedError means that the connection may return. Also
   *   ExecError if the session is lost, even during the call, or if the call takes too long.
   */
  async call<M extends RequestName>(
    method: M,
    params: ParamsOf<M> | (() => ParamsOf<M>),
    { timeoutMs, signal, repeat = false, unlessSilent = false }: CallOptions,
  ): Promise<ResultOf<M>> {
    const { clock } = this.#options;
    const timeout = () => new ExecError({ kind: 'noAnswer', method, seconds: timeoutMs / 1_000 });
    return withLimit({ clock, limitMs: timeoutMs, signal, timeout }, async (limited) => {
      for (;;) {
        const wire = await this.#connected(limited, unlessSilent);
        try {
          const now = typeof params === 'function' ? params() : params;
          return await wire.request(method, now, { signal: limited });
        } catch (error) {
          if (isHandshakeMissed(error)) {
            this.#giveUp(wire);
            continue;
          }
          if (!(error instanceof WireClosedError)) {
            throw error;
          }
          // The end is noted at once, so that the next attempt does not use this connection again.
          this.#ended(wire, { reason: error.reason, ...(error.final && { final: true }) });
          if (!repeat) {
            throw this.#lost() ?? error;
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
    const wire = this.#wire;
    if (wire === undefined) {
      throw this.#lost() ?? new WireClosedError('not connected');
    }
    try {
      return await wire.request(method, params, options);
    } catch (error) {
      if (isHandshakeMissed(error)) {
        throw new WireClosedError(this.#giveUp(wire));
      }
      throw error instanceof WireClosedError ? (this.#lost() ?? error) : error;
    }
  }

  /** Sends a notification, if there is a connection. */
  notify<N extends ClientNotificationName>(name: N, params: ClientNotificationParams<N>): void {
    this.#wire?.notify(name, params);
  }

  /** Ends the session from this side. */
  close(): void {
    this.#lose({ kind: 'closedHere' });
  }

  #use({ wire, transport, greeting, onGoodbye }: OpenWire): void {
    this.#wire = wire;
    this.#watch(wire, transport, greeting);
    onGoodbye((signal) => {
      if (this.#wire === wire) {
        this.#lose({ kind: 'serverEnded', signal });
      }
    });
    wire.onEnd((end) => this.#ended(wire, end));
    if (transport.end !== undefined) {
      // The end may have been announced before this listener was added.
      const { end } = transport;
      queueMicrotask(() => this.#ended(wire, end));
    }
  }

  /**
   * Ends a connection whose server refuses requests because it has not seen the handshake. It would refuse everything,
   * and has done nothing. The next connection does the handshake again.
   *
   * @returns the reason.
   */
  #giveUp(wire: ClientWire): string {
    const reason = 'the server has not seen the handshake';
    wire.destroy(reason);
    this.#ended(wire, { reason });
    return reason;
  }

  /** Watches a line that has no pings of its own. A server that sends no signs of life by itself is asked for them. */
  #watch(wire: ClientWire, { signs }: Transport, { capabilities }: Greeting): void {
    if (signs === undefined) {
      return;
    }
    const { clock, signOfLifeMs } = this.#options;
    const watch = new SilenceWatch(clock, signOfLifeMs, {
      signs,
      ask: () => {
        if (capabilities?.signOfLife !== true) {
          // Any answer will do, even a refusal.
          wire.request('environment/status', {}).catch(() => undefined);
        }
      },
      silent: () => this.#silent(wire),
      heard: () => this.#heard(wire),
    });
    wire.onEnd(() => watch.dispose());
  }

  #ended(wire: ClientWire, { reason: ended, final }: TransportEnd): void {
    if (this.#wire !== wire) {
      return;
    }
    this.#wire = undefined;
    const { clock, recovery, log, connector } = this.#options;
    log(`The connection to ${connector.label} ended${ended === '' ? '' : `: ${ended}`}.`);
    if (final === true) {
      this.#lose({ kind: 'gone', ended });
    } else if (this.#recovery !== undefined) {
      this.#recovery.lineEnded();
    } else if (recovery.limitMs <= 0) {
      this.#lose({ kind: 'ended', ended });
    } else {
      const wasBrief = clock.now() - this.#resumedAt < recovery.lastRetryMs;
      this.#firstWaitMs = wasBrief
        ? Math.min(Math.max(this.#firstWaitMs * 2, recovery.firstRetryMs), recovery.lastRetryMs)
        : 0;
      void this.#recover({ kind: 'ended', ended });
    }
  }

  /** Looks for another connection beside a silent one. */
  #silent(wire: ClientWire): void {
    const { recovery, signOfLifeMs } = this.#options;
    if (this.#wire !== wire || recovery.limitMs <= 0) {
      return;
    }
    this.#firstWaitMs = 0;
    void this.#recover({ kind: 'silent', seconds: silentAfterMs(signOfLifeMs) / 1_000 });
  }

  /** Continues with a connection that is no longer silent. */
  #heard(wire: ClientWire): void {
    if (this.#wire === wire && this.#recovery !== undefined) {
      this.#recovery.stop();
      this.#recovery = undefined;
      this.#options.log(`The connection to ${this.#options.connector.label} is back.`);
      this.#setState({ kind: 'connected' });
      this.#settled.notifyAll();
    }
  }

  async #recover(reason: LossReason): Promise<void> {
    const { clock, recovery, log, connector } = this.#options;
    const since = clock.wallTime();
    const ended = lossOnWire(reason);
    if (reason.kind === 'silent') {
      log(`The connection to ${connector.label} shows ${ended}.`);
    }
    const attempts = new Recovery({
      wire: this.#options,
      recovery,
      ended,
      hasLine: this.#wire !== undefined,
    });
    this.#recovery = attempts;
    const limitMs = this.#wire === undefined ? recovery.limitMs : recovery.silentLimitMs;
    this.#setState({ kind: 'recovering', reason, since, until: since + limitMs });
    const outcome = await attempts.run(this.sessionId, this.#firstWaitMs);
    if (this.#recovery !== attempts) {
      if (outcome?.kind === 'resumed') {
        outcome.open.wire.destroy('nobody needs it any more');
      }
      return;
    }
    if (outcome?.kind === 'resumed') {
      await this.#resumed(outcome.open);
    } else if (outcome !== undefined) {
      this.#lose(outcome.reason);
    }
  }

  async #resumed(open: OpenWire): Promise<void> {
    const silent = this.#wire;
    this.#wire = undefined;
    if (silent !== undefined) {
      // Calls that wait for its answers have to learn of its end before they are repeated.
      const ended = new Promise((resolve) => silent.onEnd(resolve));
      silent.destroy('another connection has taken its place');
      await ended;
    }
    if (this.#state.kind === 'lost') {
      open.wire.close();
      return;
    }
    this.#recovery = undefined;
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
    const wire = this.#wire;
    this.#wire = undefined;
    this.#recovery?.stop();
    this.#recovery = undefined;
    this.#setState({ kind: 'lost', reason });
    this.#options.log(disconnectedText(reason));
    wire?.close();
    this.#settled.notifyAll();
  }

  /**
   * Waits until there is a connection.
   *
   * @throws ExecError if the session is lost; the reason of `signal`.
   */
  async #connected(signal: AbortSignal, unlessSilent: boolean): Promise<ClientWire> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#wire !== undefined && !(unlessSilent && this.#recovery !== undefined)) {
        return this.#wire;
      }
      const lost = this.#lost();
      if (lost !== undefined) {
        throw lost;
      }
      await this.#settled.wait(signal);
    }
  }

  /** The error of calls once the session is lost; undefined until then. */
  #lost(): ExecError | undefined {
    return this.#state.kind === 'lost'
      ? new ExecError({ kind: 'disconnected', reason: this.#state.reason })
      : undefined;
  }

  #setState(state: ConnectionState): void {
    this.#state = state;
    this.#didChange.fire(state);
  }
}
