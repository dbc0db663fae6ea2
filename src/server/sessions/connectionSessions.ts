import type { BackendChange, Clock, Disposable, ExecBackend, ProcessInfo } from '../../core/index.js';
import { type ProcessDescription, WireCode, WireError } from '../../protocol/index.js';
import type { AttachedConnection } from './attachedConnection.js';
import { ConnectionSession } from './connectionSession.js';
import { describeProcess } from './processDescription.js';
import { inWordsOfClient } from './sessionProcess.js';
import { Viewers } from './viewers.js';

/** The processes that a connection session can list and attach to: its own or, where all belong to one owner, all. */
export type Reach = 'session' | 'server';

/** A process by its handle, or by its name in a connection session. */
interface NameOrHandle {
  readonly handle: string | undefined;
  readonly processId: string | undefined;
}

/** The number of sessions, of those with a connection, and of those with a client that does more than look on. */
interface SessionCounts {
  readonly all: number;
  readonly attached: number;
  readonly acting: number;
}

/** All connection sessions of a server, attached or waiting for their client to come back. */
export class ConnectionSessions implements Disposable {
  readonly #backend: ExecBackend;
  readonly #clock: Clock;
  readonly #detachedMs: number;
  readonly #processesOfEach: number;
  readonly #onCountChange: (counts: SessionCounts) => void;
  readonly #sessions = new Map<string, ConnectionSession>();
  /** The sessions whose clients only look on. */
  readonly #observers = new WeakSet<ConnectionSession>();
  /** The timers of detached sessions. */
  readonly #timers = new Map<ConnectionSession, Disposable>();
  readonly #viewers = new Viewers<ConnectionSession>();
  readonly #changes: readonly Disposable[];
  readonly #reach: Reach;
  #disposed = false;

  constructor(options: {
    backend: ExecBackend;
    clock: Clock;
    reach: Reach;
    /** The time for which a session waits for its client to come back, in milliseconds. */
    detachedMs: number;
    /** The most processes that a session may have started and that are not closed. */
    processesOfEach: number;
    onCountChange: (counts: SessionCounts) => void;
  }) {
    this.#backend = options.backend;
    this.#clock = options.clock;
    this.#detachedMs = options.detachedMs;
    this.#processesOfEach = options.processesOfEach;
    this.#onCountChange = options.onCountChange;
    this.#reach = options.reach;
    this.#changes = [
      this.#backend.onDidChange((change) => this.#changed(change)),
      this.#viewers.onDidChange((processId) => this.#changed({ type: 'changed', processId })),
    ];
  }

  /**
   * Whether a connection has a session that another one asks for, which is to call {@link release} then. Only on a
   * private socket: there the connection may be a bridge whose own client was cut off, and no pings go through it.
   */
  isTaken(id: string): boolean {
    return this.#reach === 'server' && this.#sessions.get(id)?.attached === true;
  }

  /**
   * Takes a session from its connection unless the client at its other end is there.
   *
   * @param signal Ends the wait for the client's answer; then the session stays where it is.
   */
  async release(id: string, signal: AbortSignal): Promise<void> {
    await this.#sessions.get(id)?.takeFromSilent(signal, 'its client has come back on another connection');
  }

  /**
   * Opens a session for a connection: a new one, or the one that it resumes.
   *
   * @throws WireError if there is no such session, or another connection has it.
   */
  open(connection: AttachedConnection, resumeId: string | undefined): ConnectionSession {
    const session = resumeId === undefined ? this.#create() : this.#resumable(resumeId);
    this.#timers.get(session)?.dispose();
    this.#timers.delete(session);
    session.attachTo(connection);
    this.#counted();
    return session;
  }

  /** The client of this session only looks on. */
  observes(session: ConnectionSession): void {
    this.#observers.add(session);
    this.#counted();
  }

  /** Detaches a session from a connection that has ended. */
  detach(session: ConnectionSession, connection: AttachedConnection): void {
    if (session.detach(connection) && !this.#disposed) {
      const timer = this.#clock.after(this.#detachedMs, () => void this.#end(session));
      this.#timers.set(session, timer);
      this.#counted();
    }
  }

  /** The processes that a session can list, oldest first. */
  async list(session: ConnectionSession): Promise<readonly ProcessInfo[]> {
    const all = await this.#backend.list();
    const own = new Set(session.handles);
    return this.#reach === 'server' ? all : all.filter(({ processId }) => own.has(processId));
  }

  /** Whether a session can attach to a process, or remove it. */
  reaches(session: ConnectionSession, handle: string): boolean {
    return this.#reach === 'server' || session.nameOf(handle) !== undefined;
  }

  /**
   * Forgets a process that has exited. Nothing happens if it is unknown.
   *
   * @throws ExecError if it has not exited.
   */
  async remove(session: ConnectionSession, { handle, processId }: NameOrHandle): Promise<void> {
    const gone = handle ?? (processId === undefined ? undefined : session.handleNamed(processId));
    if (gone !== undefined && this.reaches(session, gone)) {
      try {
        await this.#backend.remove(gone);
      } catch (error) {
        throw processId === undefined ? error : inWordsOfClient(error, processId);
      }
    }
  }

  /**
   * The process with a handle as a session sees it now.
   *
   * @returns undefined if there is no such process any more.
   */
  async describe(session: ConnectionSession, handle: string): Promise<ProcessDescription | undefined> {
    const process = await this.#backend.attach(handle).catch(() => undefined);
    process?.release();
    return process && describeProcess(process.info(), session.nameOf(handle), session.standing(handle));
  }

  dispose(): void {
    this.#disposed = true;
    this.#changes.forEach((subscription) => subscription.dispose());
    this.#timers.forEach((timer) => timer.dispose());
    this.#timers.clear();
    this.#sessions.clear();
  }

  #counted(): void {
    const attached = [...this.#sessions.values()].filter((session) => session.attached);
    const acting = attached.filter((session) => !this.#observers.has(session));
    this.#onCountChange({ all: this.#sessions.size, attached: attached.length, acting: acting.length });
  }

  #create(): ConnectionSession {
    const session = new ConnectionSession(this.#backend, this.#clock, this.#processesOfEach, this.#viewers);
    this.#sessions.set(session.id, session);
    return session;
  }

  #resumable(id: string): ConnectionSession {
    const session = this.#sessions.get(id);
    if (session === undefined) {
      throw new WireError(WireCode.invalidRequest, `unknown session id ${id}`);
    }
    if (session.attached) {
      throw new WireError(
        WireCode.sessionAttached,
        `session ${id} is already attached to another connection`,
      );
    }
    return session;
  }

  #changed(change: BackendChange): void {
    const { type, processId: handle } = change;
    this.#sessions.forEach((session) => {
      if (session.wantsChanges && this.reaches(session, handle)) {
        session.changed(change);
      }
      if (type === 'removed') {
        session.forget(handle);
      }
    });
    if (type === 'removed') {
      this.#viewers.forget(handle);
    }
  }

  /**
   * Ends a session whose client has not come back. Its processes are killed, unless they are owned or another session
   * knows them.
   */
  async #end(session: ConnectionSession): Promise<void> {
    const handles = session.endingHandles;
    this.#timers.delete(session);
    this.#sessions.delete(session.id);
    session.end();
    this.#counted();
    const others = new Set([...this.#sessions.values()].flatMap((other) => other.handles));
    await Promise.allSettled(
      handles.filter((handle) => !others.has(handle)).map((handle) => this.#backend.terminate(handle)),
    );
  }
}
