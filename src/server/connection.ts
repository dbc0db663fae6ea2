import { setMaxListeners } from 'node:events';

import { Alarm, type Clock, type Disposable, nothingToDispose } from '../core/index.js';
import {
  Answer,
  type ClientNotificationParams,
  clientNotifications,
  decodeParams,
  type EnvironmentInfo,
  excerpt,
  type ParamsOf,
  type RequestHandler,
  type RequestName,
  requests,
  type ResultOf,
  type ServerAdditions,
  type ServerWire,
  WireCode,
  WireError,
} from '../protocol/index.js';
import type { ReceiptBook } from '../machine/index.js';
import type { AttachedConnection } from './sessions/attachedConnection.js';
import type { ConnectionSession } from './sessions/connectionSession.js';
import { OutputTurns } from './sessions/outputTurns.js';
import { SIGN_OF_LIFE_BOUNDS_MS } from './limits.js';
import type { ConnectionContext, MethodHandlers, ServerEnvironment } from './methods/methodHandlers.js';
import { keptOutputMethods } from './methods/keptOutput.js';
import { processMethods } from './methods/processMethods.js';
import type { Quotas } from './quotas.js';
import type { OutputFiles } from './outputFiles/outputFiles.js';
import { ChangeFeed } from './sessions/changeFeed.js';
import type { ConnectionSessions } from './sessions/connectionSessions.js';

/** The parts that all connections of a server share. */
export interface ConnectionServices {
  readonly clock: Clock;
  readonly sessions: ConnectionSessions;
  readonly environment: ServerEnvironment;
  readonly environmentInfo: EnvironmentInfo;
  readonly additions: ServerAdditions;
  /** All methods except those of processes and `initialize`. */
  readonly methods: MethodHandlers;
  readonly outputFiles: OutputFiles | undefined;
  readonly receipts: ReceiptBook | undefined;
  readonly quotas: Quotas;
  /** The time that a client has for `initialize`, in milliseconds; without it, any. */
  readonly initializeLimitMs: number | undefined;
}

/** One connection of a client: performs the handshake and dispatches requests to their methods. */
export class Connection implements RequestHandler {
  readonly #services: ConnectionServices;
  readonly #methods: MethodHandlers;
  readonly #context: ConnectionContext;
  readonly #attachable: AttachedConnection;
  readonly #abort = new AbortController();
  readonly #atEnd = new Set<Disposable>();
  #state: HandshakeState = 'new';
  #session: ConnectionSession | undefined;
  #takesGoodbye = false;
  readonly #signs: Alarm;
  readonly #patience: Alarm;
  #answersPings = false;
  /** Whether `initialize` is waiting for its session. */
  #opening = false;

  constructor(wire: ServerWire, services: ConnectionServices) {
    this.#services = services;
    this.#signs = new Alarm(services.clock);
    this.#patience = new Alarm(services.clock);
    if (services.initializeLimitMs !== undefined) {
      this.#patience.set(services.initializeLimitMs, () => wire.close('the client has not said initialize'));
    }
    // Any number of requests may listen for the end of the connection.
    setMaxListeners(0, this.#abort.signal);
    this.#context = {
      wire,
      signal: this.#abort.signal,
      environment: services.environment,
      quotas: services.quotas,
      onEnd: (dispose) => this.#onEnd(dispose),
    };
    this.#attachable = {
      wire,
      turns: new OutputTurns(),
      signal: this.#abort.signal,
      answersPings: () => this.#answersPings,
    };
    this.#methods = {
      ...services.methods,
      ...processMethods({
        session: () => this.#currentSession(),
        sessions: services.sessions,
        ownership: services.additions.ownership === true,
        signals: services.additions.signals ?? [],
        receipts: services.receipts,
      }),
      ...(services.outputFiles &&
        keptOutputMethods(() => this.#currentSession(), services.sessions, services.outputFiles)),
      initialize: (params) => this.#initialize(params),
    };
    wire.onEnd(() => this.#end());
  }

  request(method: string, params: unknown): unknown {
    this.#session?.heard();
    if (!isRequestName(method)) {
      throw unknownMethod(method);
    }
    return this.#answer(method, params);
  }

  notification(name: string, params: unknown): boolean {
    if (this.#session === undefined) {
      return false;
    }
    this.#session.heard();
    if (name === 'initialized') {
      this.#state = 'done';
      this.#grant(clientNotifications.initialized.safeParse(params).data ?? {});
      return true;
    }
    if (name === 'client/pong') {
      return true;
    }
    const flow = clientNotifications['process/flow'].safeParse(params);
    if (name !== 'process/flow' || !flow.success) {
      return false;
    }
    this.#session.acknowledge(flow.data.processId, flow.data.ackSeq);
    return true;
  }

  /** The exits that have happened and that the client has not been told yet. Each resolves when it has been told. */
  get owedExits(): readonly Promise<void>[] {
    return this.#abort.signal.aborted ? [] : (this.#session?.owedExits ?? []);
  }

  /** Tells the client, if it wants to know, that the server ends, and with it all processes that have not exited. */
  sayGoodbye(signal: string | undefined): void {
    if (this.#takesGoodbye) {
      this.#context.wire.notify('server/goodbye', signal === undefined ? {} : { signal });
    }
  }

  /** Turns on the additions that the client asks for. */
  #grant({
    outputFrames,
    goodbye,
    pings,
    signOfLifeMs,
    changes,
    observes,
  }: ClientNotificationParams<'initialized'>): void {
    const { wire } = this.#context;
    if (outputFrames === true) {
      wire.useOutputFrames();
    }
    this.#takesGoodbye = goodbye === true;
    this.#answersPings = pings === true;
    if (observes === true) {
      this.#services.sessions.observes(this.#currentSession());
    }
    if (changes === true) {
      this.#tellChanges();
    }
    if (signOfLifeMs !== undefined) {
      const { least, most } = SIGN_OF_LIFE_BOUNDS_MS;
      this.#giveSigns(Math.min(Math.max(signOfLifeMs, least), most));
    }
  }

  #tellChanges(): void {
    const session = this.#currentSession();
    const { sessions } = this.#services;
    session.tellChanges(
      new ChangeFeed({
        describe: (handle) => sessions.describe(session, handle),
        send: (change, taken) => this.#context.wire.notify('process/changed', change, taken),
      }),
    );
  }

  #giveSigns(intervalMs: number): void {
    this.#signs.set(intervalMs, () => {
      this.#giveSigns(intervalMs);
      this.#context.wire.notify('server/signOfLife', {});
    });
  }

  async #answer<M extends RequestName>(
    method: M,
    params: unknown,
  ): Promise<ResultOf<M> | Answer<ResultOf<M>>> {
    const handler: MethodHandlers[M] = this.#methods[method];
    if (handler === undefined) {
      throw unknownMethod(method);
    }
    const decoded = decodeParams(method, params);
    if (method !== 'initialize') {
      checkHandshake(method, this.#state);
    }
    try {
      return await handler(decoded, this.#context);
    } catch (error) {
      // Errors after the end of the connection are no faults of ours, and their answer has no reader.
      throw this.#abort.signal.aborted ? new WireError(WireCode.internal, 'the connection has ended') : error;
    }
  }

  async #initialize({ resumeSessionId }: ParamsOf<'initialize'>): Promise<Answer<ResultOf<'initialize'>>> {
    if (this.#session !== undefined || this.#opening) {
      throw new WireError(WireCode.invalidRequest, 'initialize may only be sent once per connection');
    }
    const { sessions } = this.#services;
    // Otherwise this waits for nothing, so that the client's next message finds the session.
    if (typeof resumeSessionId === 'string' && sessions.isTaken(resumeSessionId)) {
      this.#opening = true;
      await sessions.release(resumeSessionId, this.#abort.signal);
      this.#opening = false;
      this.#abort.signal.throwIfAborted();
    }
    const session = sessions.open(this.#attachable, resumeSessionId ?? undefined);
    this.#session = session;
    this.#patience.dispose();
    this.#state = 'answered';
    return new Answer({
      result: {
        sessionId: session.id,
        environmentInfo: this.#services.environmentInfo,
        capabilities: this.#services.additions,
      },
      afterwards: () => session.openOutput(),
    });
  }

  #currentSession(): ConnectionSession {
    if (this.#session === undefined) {
      throw new Error('Methods of processes are called after the handshake.');
    }
    return this.#session;
  }

  #onEnd(dispose: () => void): Disposable {
    if (this.#abort.signal.aborted) {
      dispose();
      return nothingToDispose;
    }
    const entry = { dispose };
    this.#atEnd.add(entry);
    return { dispose: () => void this.#atEnd.delete(entry) };
  }

  #end(): void {
    this.#abort.abort();
    this.#signs.dispose();
    this.#patience.dispose();
    if (this.#session !== undefined) {
      this.#services.sessions.detach(this.#session, this.#attachable);
    }
    for (const entry of [...this.#atEnd]) {
      entry.dispose();
    }
    this.#atEnd.clear();
  }
}

function isRequestName(method: string): method is RequestName {
  return Object.hasOwn(requests, method);
}

function unknownMethod(method: string): WireError {
  return new WireError(WireCode.methodNotFound, `this server has no method ${excerpt(method)}`);
}

/** The state of a connection: nothing yet, `initialize` answered, `initialized` received. */
type HandshakeState = 'new' | 'answered' | 'done';

/**
 * Refuses a request that arrives before the handshake is done.
 *
 * @throws WireError
 */
function checkHandshake(method: RequestName, state: HandshakeState): void {
  if (state !== 'done') {
    const missing =
      state === 'new' ? 'client must call initialize before' : 'client must send initialized before';
    throw new WireError(WireCode.invalidRequest, `${missing} using ${familyOf(method)} methods`);
  }
}

const FAMILIES: readonly (readonly [prefix: string, family: string])[] = [
  ['fs/', 'filesystem'],
  ['http/', 'http'],
  ['host/', 'host'],
  ['environment/info', 'environment info'],
  ['environment/status', 'environment status'],
];

function familyOf(method: string): string {
  return FAMILIES.find(([prefix]) => method.startsWith(prefix))?.[1] ?? 'exec';
}
