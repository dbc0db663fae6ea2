import {
  type Clock,
  DEFAULT_TERMINAL_SIZE,
  type Disposable,
  Emitter,
  type Event,
  type ExecProcess,
  type ExitStatus,
  LINE_LENGTH,
  oneLine,
  type OutputStream,
  type ProcessInfo,
  type ProcessMetadata,
  type Survivor,
} from '../../core/index.js';
import { compareCursors, type Cursor, SessionScreen, START, type TextOptions } from '../text/index.js';

import type { KnownAgent } from './agents.js';
import { type ChangingTool, cursorIn } from './belonging.js';
import { EndCause } from './endCause.js';
import type { AgentHost, Controller, HostedProcess } from '../host.js';
import { InputLook } from './inputLook.js';
import { Leftovers } from './leftovers.js';
import { Lock } from './lock.js';
import { SecretPrompt } from './secretPrompt.js';
import { SentInputs } from './sentInputs.js';
import type { SessionAgent } from './sessionAgent.js';
import { type Doer, SessionMemory } from './sessionMemory.js';
import { SessionNews } from './sessionNews.js';
import { SessionOwner } from './sessionOwner.js';

const SHORT_NAME_LENGTH = 40;

/** An agent's knowledge of a session. */
interface Acquaintance {
  /** The end of the output that it has got. */
  cursor: Cursor;
  /** Whether a full-screen program has the terminal there, as far as its rendering tells. */
  fullScreen: boolean;
  /** How many of its calls watch the session. A call that watches tells the end itself. */
  watches: number;
  /** Whether it knows that the session has ended. */
  knowsEnd: boolean;
}

/**
 * A session as agents know it: an id, a process as long as that is held, and the facts that stay afterwards. An id is
 * never given to another session.
 */
export class AgentSession {
  readonly id: number;
  readonly hosted: HostedProcess;
  /** Keeps input, signals and stops in order. It is never held during a wait for output. */
  readonly lock = new Lock();
  readonly look: InputLook;
  readonly secret: SecretPrompt;
  readonly inputs: SentInputs;
  /** Whether agents have been warned that a secret cannot be detected here. */
  saidUndetectable = false;
  /** The streams that output has come from, as far as agents have got it. */
  readonly seenStreams = new Set<OutputStream>();
  /** Whether agents have been told that its program reads single keys. */
  saidKeys = false;
  /** Whether agents know that its outputs do not share a pipe. */
  knownApart = false;
  readonly #clock: Clock;
  /** The cause of its end; kept for as long as it is listed. */
  readonly #endCause = new EndCause();
  readonly #leftovers: Leftovers;
  readonly #memory: SessionMemory;
  readonly #owner: SessionOwner;
  readonly #news = new SessionNews();
  readonly #didLeave = new Emitter<void>();
  /** By the id of the agent. */
  readonly #acquaintances = new Map<string, Acquaintance>();
  #screen: SessionScreen | undefined;
  /** Why the process is no longer held, with its last known state. */
  #left: { readonly why: 'removed' | 'notKept'; readonly info: ProcessInfo } | undefined;
  readonly #subscriptions;

  constructor(options: {
    id: number;
    /** Undefined if the session was found: its agent belongs to another program. */
    agent: KnownAgent | undefined;
    hosted: HostedProcess;
    host: AgentHost;
    clock: Clock;
    /** Further metadata to store with the process. */
    remember?: ProcessMetadata | undefined;
  }) {
    this.id = options.id;
    this.hosted = options.hosted;
    this.#memory = new SessionMemory(options.hosted.process, options.id, options.clock);
    this.#owner = new SessionOwner(() => this.info().metadata, this.#memory);
    if (options.agent !== undefined) {
      this.#owner.becomes(options.agent, options.remember);
    }
    this.#clock = options.clock;
    this.#leftovers = new Leftovers(
      {
        backend: options.hosted.backend,
        survivors: () => options.hosted.survivors(),
        info: () => this.info(),
      },
      options.clock,
    );
    const { process } = options.hosted;
    this.inputs = new SentInputs(process, options.clock);
    this.look = new InputLook(options.hosted, this.inputs, options.clock);
    this.secret = new SecretPrompt(options.hosted, options.host, this.look, options.clock);
    this.#subscriptions = [
      options.hosted.onDidChangeController(() => this.#news.controlChanged()),
      options.hosted.onDidRemove(() => this.#leave('removed')),
      options.hosted.onPersonStops(() => this.#stoppedByPerson()),
      options.hosted.onPersonTypes((text) => {
        // Secrets are not kept, since they are not shown anyway.
        if (!this.secret.awaited) {
          this.inputs.sending(undefined, text).taken();
        }
      }),
    ];
  }

  /** The agent that it belongs to: the one that started it, or that has taken it over. Every agent may use it. */
  get agent(): SessionAgent {
    return this.#owner.agent;
  }

  /** The command line as people see it, on one line. */
  get command(): string {
    return oneLine(this.hosted.commandLine, LINE_LENGTH);
  }

  /** `Session 3 (npm run dev)`, for sentences. */
  get name(): string {
    return `Session ${this.id} (${oneLine(this.hosted.commandLine, 60)})`;
  }

  /** `session 3 (web)`, by its title if it has one, for lines about several sessions. */
  get shortName(): string {
    const { title, commandLine } = this.hosted;
    return `session ${this.id} (${oneLine(title ?? commandLine, SHORT_NAME_LENGTH)})`;
  }

  /** The process; undefined once it is no longer held. Its output is gone then. */
  get process(): ExecProcess | undefined {
    return this.#left === undefined ? this.hosted.process : undefined;
  }

  get left(): 'removed' | 'notKept' | undefined {
    return this.#left?.why;
  }

  /** Fires when the process is no longer held. */
  get onDidLeave(): Event<void> {
    return this.#didLeave.event;
  }

  get controller(): Controller {
    return this.hosted.controller;
  }

  info(): ProcessInfo {
    return this.#left?.info ?? this.hosted.process.info();
  }

  /** The one who ended it with this exit, in words for `reader`; undefined if that is not known. */
  causeOf(exit: ExitStatus, reader: SessionAgent): string | undefined {
    return this.#endCause.textOf(exit, this.info(), reader);
  }

  /** Whether the process itself runs, or may still run as far as is known. */
  get running(): boolean {
    const { exit, state } = this.info();
    return exit === undefined && state !== 'failed' && this.left !== 'removed';
  }

  /** Whether it counts as a session that its agent has to stop: it runs, or something holds its output open. */
  get live(): boolean {
    const { state } = this.info();
    // After a stop was tried, the processes that it has left running no longer concern the agent.
    const openOutput = state === 'exited' && !this.#news.stopTried;
    return this.running || (openOutput && this.#left === undefined);
  }

  /** Takes note that an agent uses it. If its own agent has gone, it belongs to this agent from now on. */
  usedBy(agent: KnownAgent): void {
    const { cursor } = this.#acquaintance(agent);
    const { id, name, leftAt } = this.agent;
    if (leftAt !== undefined && id !== agent.id) {
      const goesOn = compareCursors(cursor, START) > 0;
      this.#news.takenOver({ name, leftAt, goesOn }, this.info().metadata);
      this.#owner.becomes(agent);
    }
  }

  /** Takes note that an agent changes it with this tool. If it belongs to another agent, that agent is notified. */
  changedBy(agent: KnownAgent, tool: ChangingTool): void {
    if (agent.id === this.agent.id) {
      return;
    }
    if (this.#owner.isElsewhere) {
      this.#memory.usedBy(agent, tool);
    } else if (tool !== 'stop_session') {
      // A stop notifies all agents of this program anyway.
      this.#news.used(agent, tool, this.agent);
    }
  }

  /** Takes note that an agent sends it a signal. */
  signalledBy(agent: KnownAgent, signal: string): void {
    this.#endCause.signalled(signal, agent);
    this.#memory.signalledBy(this.#doer(agent), signal);
  }

  cursorOf(agent: KnownAgent): Cursor {
    return this.#acquaintance(agent).cursor;
  }

  /**
   * Takes note that the agent has got the output from `from` to `to`. Output before that, if it was missed, stays new.
   *
   * @param fullScreen Whether a full-screen program has the terminal at `to`, if that is known.
   */
  given(agent: KnownAgent, from: Cursor, to: Cursor, fullScreen = false): void {
    const known = this.#acquaintance(agent);
    if (compareCursors(from, known.cursor) <= 0 && compareCursors(to, known.cursor) > 0) {
      known.cursor = to;
      known.fullScreen = fullScreen;
      this.#memory.given(agent, to);
    }
  }

  /** Whether a full-screen program has the terminal at the cursor of the agent, as far as is known. */
  fullScreenFor(agent: KnownAgent): boolean {
    return this.#acquaintance(agent).fullScreen;
  }

  /**
   * The processes that it has left running, as far as agents have been told. Empty if its process is no longer held.
   */
  get survivors(): readonly Survivor[] {
    return this.#left === undefined ? this.#leftovers.known : [];
  }

  /** Takes note that agents are told of these left processes. */
  toldSurvivors(survivors: readonly Survivor[]): void {
    this.#leftovers.told(survivors);
  }

  /**
   * Looks for the processes that it has left running, so that agents are told. Finds nothing where the machine cannot
   * tell.
   */
  async lookForSurvivors(): Promise<void> {
    if (this.process !== undefined) {
      await this.#leftovers.look();
    }
  }

  /** Takes note that an agent tries to stop it. The others are notified, because their calls may see it end. */
  stopTried(agent: KnownAgent): void {
    if (this.running) {
      this.#endCause.stopping(agent);
      this.#memory.stoppedBy(this.#doer(agent));
    }
    this.changedBy(agent, 'stop_session');
    this.#news.stopped(agent, agent.id === this.agent.id);
  }

  /** Takes note that it still runs after a stop. */
  stopFailed(): void {
    this.#endCause.stopFailed();
    this.#memory.stoppedBy(undefined);
  }

  /** Takes note that a call of the agent watches it, until the result is disposed. */
  watchedBy(agent: KnownAgent): Disposable {
    const known = this.#acquaintance(agent);
    known.watches += 1;
    return { dispose: () => (known.watches -= 1) };
  }

  /** Takes note that the agent has been told its state. */
  stateToldTo(agent: KnownAgent): void {
    this.look.tell(agent);
    this.#acquaintance(agent).knowsEnd ||= !this.running;
  }

  /** Whether the agent has yet to be told that it has ended. Nothing new is told after a stop. */
  hasEndedUntold(agent: KnownAgent): boolean {
    const { watches, knowsEnd } = this.#acquaintance(agent);
    const isOver = !this.running && this.left !== 'removed' && !this.#news.stopTried;
    return isOver && watches === 0 && !knowsEnd;
  }

  /** The actions of others on it that this agent has not been notified of. They count as notified from now on. */
  news(agent: KnownAgent): readonly string[] {
    return this.#news.for(agent, {
      name: `session ${this.id} (${oneLine(this.hosted.commandLine, 60)})`,
      owner: this.agent,
      controller: this.controller,
      removed: this.left === 'removed',
      metadata: this.info().metadata,
      now: this.#clock.wallTime(),
    });
  }

  /** The options with which its output is rendered. */
  get terminal(): TextOptions {
    const { tty, size } = this.info();
    return { tty, columns: size?.columns ?? DEFAULT_TERMINAL_SIZE.columns, rows: size?.rows };
  }

  /** Its screen as a person would see it, which is kept up to date from the first call on. */
  get screen(): SessionScreen {
    return (this.#screen ??= new SessionScreen(this.hosted.process, { clock: this.#clock }));
  }

  /** Releases the process; the facts about it stay. */
  release(): void {
    if (this.#left === undefined) {
      this.#leave('notKept');
      this.hosted.release();
    }
  }

  #stoppedByPerson(): void {
    if (this.running) {
      this.#endCause.stopping('person');
    }
    this.#news.stopped('person', false);
  }

  #doer(agent: KnownAgent): Doer {
    return { agent, foreign: agent.id !== this.agent.id };
  }

  #leave(why: 'removed' | 'notKept'): void {
    if (this.#left !== undefined) {
      return;
    }
    this.#left = { why, info: this.hosted.process.info() };
    this.#subscriptions.forEach((subscription) => subscription.dispose());
    this.#owner.dispose();
    this.#memory.dispose();
    this.secret.dispose();
    this.inputs.dispose();
    this.#screen?.dispose();
    this.#screen = undefined;
    this.#didLeave.fire();
    this.#didLeave.dispose();
  }

  /** An agent that was restarted continues where it was. All other agents get everything before them. */
  #firstCursor(agent: KnownAgent): Cursor {
    const before = this.agent;
    if (before.id === agent.id || before.leftAt === undefined || before.givenName !== agent.givenName) {
      return START;
    }
    const { metadata, output } = this.info();
    const cursor = this.#acquaintances.get(before.id)?.cursor ?? cursorIn(metadata, agent.givenName);
    return cursor !== undefined && cursor.afterSeq <= output.lastSeq ? cursor : START;
  }

  #acquaintance(agent: KnownAgent): Acquaintance {
    let known = this.#acquaintances.get(agent.id);
    if (known === undefined) {
      this.#news.meets(agent, agent.id === this.agent.id);
      known = { cursor: this.#firstCursor(agent), fullScreen: false, watches: 0, knowsEnd: false };
      this.#acquaintances.set(agent.id, known);
    }
    return known;
  }
}
