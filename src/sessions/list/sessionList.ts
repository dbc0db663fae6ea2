import {
  Alarm,
  type Clock,
  type Disposable,
  DisposableStore,
  Emitter,
  type Event,
  type ExecBackend,
  ExecError,
  type ExecProcess,
  type LaunchRequest,
  metadataIn,
  type ProcessMetadata,
  startParams,
  systemClock,
} from '../../core/index.js';
import { type ExecEnvironment, LOCAL_ID } from './environment.js';
import { DEFAULT_LIST_LIMITS, evictOutput, type ListLimits, tooMany } from './listLimits.js';
import { Session } from './session.js';

interface SessionListChange {
  /** `restored`: the removal was undone. */
  readonly type: 'added' | 'changed' | 'removed' | 'restored';
  readonly session: Session;
}

/** Sessions that were removed, and can be put back for a while. */
export interface Removal {
  readonly sessions: readonly Session[];
  /**
   * Puts them back where they were, unless it is too late.
   *
   * @returns the sessions that are back.
   */
  undo(): readonly Session[];
}

interface Entry {
  readonly session: Session;
  /** A larger number means that it was added later. */
  readonly order: number;
  readonly subscriptions: DisposableStore;
}

/** The time from a change to the check of the limits, in milliseconds. Output may exceed its limit for that long. */
const LIMITS_INTERVAL_MS = 1_000;

/**
 * The sessions that people see, oldest first. An ended one stays, with its output, until it is removed by a person or
 * by the limits.
 */
export class SessionList implements Disposable {
  readonly #limits: () => ListLimits;
  readonly #folder: () => string | undefined;
  readonly #clock: Clock;
  readonly #limitsCheck: Alarm;
  #sessions = new Map<string, Entry>();
  /** Sessions that have left the list and may come back. */
  readonly #aside = new Set<Session>();
  #added = 0;
  readonly #watchedBackends = new Map<ExecBackend, Disposable>();
  readonly #didChange = new Emitter<SessionListChange>();
  #disposed = false;

  /**
   * @param options.limits Asked each time, so that a changed setting holds at once.
   * @param options.folder The folder that new sessions belong to.
   */
  constructor(options: { limits?: () => ListLimits; folder?: () => string | undefined; clock?: Clock } = {}) {
    this.#limits = options.limits ?? (() => DEFAULT_LIST_LIMITS);
    this.#folder = options.folder ?? (() => undefined);
    this.#clock = options.clock ?? systemClock;
    this.#limitsCheck = new Alarm(this.#clock);
  }

  get onDidChange(): Event<SessionListChange> {
    return this.#didChange.event;
  }

  get sessions(): readonly Session[] {
    return [...this.#sessions.values()].map(({ session }) => session);
  }

  get(id: string): Session | undefined {
    return this.#sessions.get(id)?.session;
  }

  /**
   * Starts a session. It is in the list from the first moment, and leaves it again if the start fails.
   *
   * @param previous The session that this one repeats.
   * @throws ExecError if it cannot be started.
   */
  async start(environment: ExecEnvironment, request: LaunchRequest, previous?: Session): Promise<Session> {
    if (this.#disposed) {
      throw new ExecError({ kind: 'shutDown' });
    }
    const id = crypto.randomUUID();
    const params = startParams(id, request);
    const folder = this.#folder();
    const metadata: ProcessMetadata = {
      ...params.metadata,
      sessionId: id,
      ...(previous && { previousId: previous.id }),
      ...(folder !== undefined && { folder }),
    };
    const session = new Session({ id, environment, request, metadata, now: this.#clock.wallTime() });
    this.#add(session);
    try {
      const owned = environment.id === LOCAL_ID || environment.ownsSessions === true;
      const process = await environment.backend.start({ ...params, owned, metadata });
      this.#follow(session, process);
      session.attachProcess(process);
      return session;
    } catch (error) {
      this.#drop(session);
      throw error;
    }
  }

  /**
   * Starts the command of a session once more, as a new session with the title that the old one has now. The old
   * session stays. If an agent had started the old one, the new one is the user's, because no agent knows of it.
   *
   * @param environment The environment with the same id, which may have another backend by now.
   * @param renewed Makes the request anew where it depends on files.
   */
  runAgain(
    session: Session,
    environment = session.environment,
    renewed = (request: LaunchRequest): LaunchRequest => request,
  ): Promise<Session> {
    const { origin } = session.request;
    const again = (request: LaunchRequest) =>
      this.start(
        environment,
        {
          ...renewed(request),
          title: session.title,
          batch: session.record.batch,
          origin: origin.kind === 'agent' ? { kind: 'user' } : origin,
        },
        session,
      );
    // Everything is known about a session that was started here, so the new one is in the list at once.
    return session.adopted ? session.startedWith().then(again) : again(session.request);
  }

  /**
   * Adds a session for an existing process, under the id that it has in other windows. A lost session may have that id
   * already; then it gets another one. The list owns the process from now on.
   */
  adopt(environment: ExecEnvironment, process: ExecProcess, request: LaunchRequest): Session {
    const { metadata } = process.info();
    const said = metadataIn(metadata, 'sessionId');
    const session = new Session({
      id: said === undefined || this.#sessions.has(said) ? crypto.randomUUID() : said,
      environment,
      request,
      metadata,
      adopted: true,
      now: this.#clock.wallTime(),
    });
    // No look at it comes before its state is known.
    session.attachProcess(process);
    this.#add(session);
    this.#follow(session, process);
    return session;
  }

  /** The session that shows a process, if there is one. */
  sessionOf(backend: ExecBackend, processId: string): Session | undefined {
    const isIt = (session: Session | undefined) =>
      session?.environment.backend === backend && session.processId === processId;
    // A process that the list has started has the id of its session.
    const own = this.get(processId);
    return isIt(own) ? own : this.sessions.find(isIt);
  }

  /** Whether a process belongs to a session that was {@link setAside}. */
  isSetAside(backend: ExecBackend, processId: string): boolean {
    return [...this.#aside].some(
      (session) => session.environment.backend === backend && session.processId === processId,
    );
  }

  /**
   * Removes ended sessions, with their output, even if that is still open. Sessions that have not ended stay.
   *
   * @returns the removed sessions.
   */
  remove(sessions: readonly Session[]): readonly Session[] {
    const ended = [...new Set(sessions)].filter((session) => this.#sessions.has(session.id) && session.ended);
    for (const session of ended) {
      void this.#forgetThere(session);
      this.#drop(session);
    }
    return ended;
  }

  /**
   * Removes ended sessions as {@link remove} does, but keeps them for a while, so that it can be undone.
   *
   * @param keepMs For how long, in milliseconds.
   */
  setAside(sessions: readonly Session[], keepMs: number): Removal {
    const entries = [...new Set(sessions)]
      .filter(({ ended }) => ended)
      .map(({ id }) => this.#sessions.get(id))
      .filter((entry) => entry !== undefined);
    for (const entry of entries) {
      this.#aside.add(entry.session);
      this.#takeOut(entry);
    }
    const timer = this.#clock.after(keepMs, () => {
      for (const { session } of entries) {
        void this.#letGo(session);
      }
    });
    return {
      sessions: entries.map(({ session }) => session),
      undo: () => {
        timer.dispose();
        return this.#putBack(entries.filter(({ session }) => this.#aside.delete(session)));
      },
    };
  }

  /** Forgets what was {@link setAside} before its time: the window closes, and nobody can undo it any more. */
  async forgetSetAside(): Promise<void> {
    await Promise.all([...this.#aside].map((session) => this.#letGo(session)));
  }

  /**
   * Enforces the limits: first removes closed and lost sessions, oldest first, then evicts output, of ended sessions
   * first.
   */
  enforceLimits(): void {
    const limits = this.#limits();
    this.remove(tooMany(this.sessions, limits));
    for (const session of evictOutput(this.sessions, limits)) {
      this.#didChange.fire({ type: 'changed', session });
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.#limitsCheck.dispose();
    for (const watched of this.#watchedBackends.values()) {
      watched.dispose();
    }
    this.#didChange.dispose();
    for (const session of this.sessions) {
      this.#drop(session);
    }
    for (const session of this.#aside) {
      void this.#letGo(session);
    }
  }

  #add(session: Session): void {
    this.#added += 1;
    this.#sessions.set(session.id, { session, order: this.#added, subscriptions: new DisposableStore() });
    this.#watch(session.environment.backend);
    this.#didChange.fire({ type: 'added', session });
  }

  #follow(session: Session, process: ExecProcess): void {
    const subscriptions = this.#sessions.get(session.id)?.subscriptions;
    if (subscriptions !== undefined) {
      this.#subscribe(session, process, subscriptions);
    }
  }

  #subscribe(session: Session, process: ExecProcess, subscriptions: DisposableStore): void {
    subscriptions.add(process.onWake(() => this.#enforceLimitsSoon()));
    subscriptions.add(
      session.onDidChange(() => {
        this.#didChange.fire({ type: 'changed', session });
        this.#enforceLimitsSoon();
      }),
    );
  }

  /** Forwards the changes that a backend reports to the sessions that show its processes. */
  #watch(backend: ExecBackend): void {
    if (this.#watchedBackends.has(backend)) {
      return;
    }
    const store = new DisposableStore();
    this.#watchedBackends.set(backend, store);
    store.add(
      backend.onDidChange((change) => {
        const session = this.sessionOf(backend, change.processId);
        if (change.type === 'changed') {
          session?.changed();
        } else if (change.type === 'removed' && change.expired !== true && session?.owned === true) {
          // Another window or the limits of the server have removed it.
          this.#drop(session);
        }
      }),
    );
    store.add(
      backend.onDidChangeConnection(() => {
        for (const session of this.#sessionsOf(backend)) {
          session.changed();
        }
        this.#unwatchIfDone(backend);
      }),
    );
  }

  /** Stops watching a backend that is lost and has no sessions in the list, since it reports nothing more. */
  #unwatchIfDone(backend: ExecBackend): void {
    if (backend.connection.kind === 'lost' && this.#sessionsOf(backend).length === 0) {
      this.#watchedBackends.get(backend)?.dispose();
      this.#watchedBackends.delete(backend);
    }
  }

  #sessionsOf(backend: ExecBackend): readonly Session[] {
    return this.sessions.filter(({ environment }) => environment.backend === backend);
  }

  /** Lets the backend forget a process that it would keep, so that no other window shows it any more. */
  async #forgetThere(session: Session): Promise<void> {
    if (session.owned && session.state !== 'lost') {
      // A server that cannot be reached now forgets the process once it is full.
      await session.environment.backend.remove(session.processId).catch(() => undefined);
    }
  }

  #drop(session: Session): void {
    const entry = this.#sessions.get(session.id);
    if (entry !== undefined) {
      this.#takeOut(entry);
      session.release();
    }
  }

  #takeOut({ session, subscriptions }: Entry): void {
    this.#sessions.delete(session.id);
    subscriptions.dispose();
    this.#unwatchIfDone(session.environment.backend);
    this.#didChange.fire({ type: 'removed', session });
  }

  #putBack(entries: readonly Entry[]): readonly Session[] {
    const back = entries.map(({ session, order }) => {
      const subscriptions = new DisposableStore();
      this.#subscribe(session, session.process, subscriptions);
      this.#watch(session.environment.backend);
      return { session, order, subscriptions };
    });
    const all = [...this.#sessions.values(), ...back].toSorted((one, other) => one.order - other.order);
    this.#sessions = new Map(all.map((entry) => [entry.session.id, entry]));
    for (const { session } of back) {
      this.#didChange.fire({ type: 'restored', session });
    }
    return back.map(({ session }) => session);
  }

  async #letGo(session: Session): Promise<void> {
    if (this.#aside.delete(session)) {
      const forgotten = this.#forgetThere(session);
      session.release();
      await forgotten;
    }
  }

  #enforceLimitsSoon(): void {
    if (!this.#disposed) {
      this.#limitsCheck.setUnlessSet(LIMITS_INTERVAL_MS, () => this.enforceLimits());
    }
  }
}
