import {
  type Clock,
  DEFAULT_TERMINAL_SIZE,
  type EnvPolicy,
  type ExecBackend,
  ExecError,
  systemClock,
} from '../../core/index.js';
import { unifiedExecErrors } from './errors.js';
import { UnifiedExecSession } from './unifiedExecSession.js';

/** The duration of a request that names none, in milliseconds. */
export const DEFAULT_TIMEOUT_MS = 1_000;
/** The longest duration of a request, in milliseconds. */
export const MAX_TIMEOUT_MS = 60_000;

/** One step of an agent: start a command, write to one that runs, or only look at it. */
export interface UnifiedExecRequest {
  /** The session to write to; without it a command is started. */
  readonly sessionId?: number | undefined;
  /** The argument list of a new command, which no shell touches; or pieces of input, joined by one space each. */
  readonly inputChunks: readonly string[];
  /** How long to collect output, in milliseconds; {@link DEFAULT_TIMEOUT_MS} by default. */
  readonly timeoutMs?: number | undefined;
  /** Ends the request, never the process. */
  readonly signal?: AbortSignal | undefined;
  /** The name of the agent that asks, as people see it. */
  readonly agent?: string | undefined;
}

interface UnifiedExecResult {
  /** Present while the process runs. How it ended afterwards is not reported. */
  readonly sessionId?: number;
  readonly output: string;
}

export interface UnifiedExecOptions {
  readonly backend: ExecBackend;
  /** The directory in which commands run, on the machine of the backend. */
  readonly cwd: string;
  readonly clock?: Clock | undefined;
}

/** All variables of the host: the reference filters nothing. */
const INHERIT_ALL: EnvPolicy = {
  inherit: 'all',
  ignoreDefaultExcludes: true,
  exclude: [],
  set: {},
  includeOnly: [],
};

/**
 * The compatible mode: the sessions of an early unified exec tool, with its semantics, on any backend. Every command
 * runs on a terminal of 80 by 24 with the variables of the backend's host. Every request lasts for its whole time. The
 * tools of `src/agent` do better; this one is for programs that were made for it.
 */
export class UnifiedExecManager {
  readonly #backend: ExecBackend;
  readonly #cwd: string;
  readonly #clock: Clock;
  readonly #sessions = new Map<number, UnifiedExecSession>();
  /** Sessions in their first request. No caller knows their ids yet. */
  readonly #starting = new Set<UnifiedExecSession>();
  #nextId = 0;
  #disposed = false;

  constructor({ backend, cwd, clock = systemClock }: UnifiedExecOptions) {
    this.#backend = backend;
    this.#cwd = cwd;
    this.#clock = clock;
  }

  /** The ids that requests can name. The id of a process that has ended stays until a request names it. */
  get sessionIds(): readonly number[] {
    return [...this.#sessions.keys()];
  }

  /** @throws UnifiedExecError; or the reason of `signal`, if that is aborted before anything was done. */
  async handle(request: UnifiedExecRequest): Promise<UnifiedExecResult> {
    request.signal?.throwIfAborted();
    const requested = request.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const timeoutMs = Math.min(requested, MAX_TIMEOUT_MS);
    const { sessionId, output } = await (request.sessionId === undefined
      ? this.#startAndCollect(request, timeoutMs)
      : this.#writeAndCollect(request.sessionId, request, timeoutMs));
    return {
      ...(sessionId !== undefined && { sessionId }),
      output: `${requested > MAX_TIMEOUT_MS ? clampWarning(requested) : ''}${output}`,
    };
  }

  /**
   * Ends every process. Rejects with the errors of those that could not be ended; the others are ended all the same.
   */
  async dispose(): Promise<void> {
    this.#disposed = true;
    const all = [...this.#sessions.values(), ...this.#starting];
    this.#sessions.clear();
    this.#starting.clear();
    const ends = await Promise.allSettled(all.map((session) => session.dispose()));
    const errors = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
    if (errors.length > 0) {
      throw new AggregateError(errors, 'Some sessions could not be ended.');
    }
  }

  async #startAndCollect(request: UnifiedExecRequest, timeoutMs: number): Promise<UnifiedExecResult> {
    const session = await this.#start(request);
    if (this.#disposed) {
      await session.dispose();
      throw unifiedExecErrors.createSession(new ExecError({ kind: 'shutDown' }));
    }
    this.#starting.add(session);
    const output = await session.collect({ input: '', timeoutMs, signal: request.signal });
    // The caller gets an id only if the process still runs, and if `dispose` has not ended it meanwhile.
    if (!this.#starting.delete(session) || session.hasEnded()) {
      return { output };
    }
    this.#sessions.set(session.id, session);
    return { sessionId: session.id, output };
  }

  /** A start that fails uses up an id as well. */
  async #start({ inputChunks, agent }: UnifiedExecRequest): Promise<UnifiedExecSession> {
    const id = this.#nextId;
    this.#nextId += 1;
    if (inputChunks.length === 0) {
      throw unifiedExecErrors.missingCommandLine();
    }
    try {
      const process = await this.#backend.start({
        // Others may use the same backend, so the id of the session would not be unique.
        processId: crypto.randomUUID(),
        argv: inputChunks,
        cwd: this.#cwd,
        env: {},
        envPolicy: INHERIT_ALL,
        tty: true,
        size: DEFAULT_TERMINAL_SIZE,
        metadata: { origin: { kind: 'agent', ...(agent !== undefined && { name: agent }) } },
      });
      return new UnifiedExecSession(id, process, this.#clock);
    } catch (error) {
      throw unifiedExecErrors.createSession(error);
    }
  }

  async #writeAndCollect(
    id: number,
    request: UnifiedExecRequest,
    timeoutMs: number,
  ): Promise<UnifiedExecResult> {
    const session = this.#sessions.get(id);
    if (session === undefined || session.hasExited()) {
      this.#sessions.delete(id);
      throw unifiedExecErrors.unknownSessionId(id);
    }
    const input = request.inputChunks.join(' ');
    const output = await session.collect({ input, timeoutMs, signal: request.signal });
    if (session.hasEnded()) {
      this.#sessions.delete(id);
    }
    return { ...(this.#sessions.has(id) && { sessionId: id }), output };
  }
}

function clampWarning(requestedMs: number): string {
  // A BigInt writes all digits of a whole number, however large.
  const requested = BigInt(requestedMs).toString();
  return `Warning: requested timeout ${requested}ms exceeds maximum of ${MAX_TIMEOUT_MS}ms; clamping to ${MAX_TIMEOUT_MS}ms.\n`;
}
