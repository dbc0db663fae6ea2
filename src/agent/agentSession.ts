import {
  type Clock,
  DEFAULT_TERMINAL_SIZE,
  Emitter,
  type Event,
  type ExecProcess,
  type ProcessInfo,
} from '../core/index.js';
import { type Cursor, SessionScreen, START, type TextOptions } from './text/index.js';

import { oneLine } from './commandText.js';
import type { AgentHost, Controller, HostedProcess } from './host.js';
import { Lock } from './lock.js';
import { SecretPrompt } from './secretPrompt.js';

/** What one agent knows of a session. */
interface Acquaintance {
  /** Where the output ends that it has been given. */
  cursor: Cursor;
  /** How many changes of control it has been told of. */
  controlChanges: number;
  /** Of how many stops it has been told. */
  stops: number;
  /** Whether it knows that the session was taken off the list. */
  toldRemoved: boolean;
}

/**
 * A session as agents know it: a number, a process while it is held, and what stays when it is not. The number is never
 * given to another one.
 */
export class AgentSession {
  readonly id: number;
  /** Who started it. Every agent may use it. */
  readonly agent: string;
  readonly hosted: HostedProcess;
  /** For everything that must not get mixed up: input, signals, stops. Never held while output is waited for. */
  readonly lock = new Lock();
  readonly secret: SecretPrompt;
  /** Whether it was said that a secret cannot be detected here. */
  saidUndetectable = false;
  readonly #clock: Clock;
  readonly #didLeave = new Emitter<void>();
  readonly #acquaintances = new Map<string, Acquaintance>();
  #controlChanges = 0;
  /** Who has stopped it, in order, in words. */
  readonly #stoppedBy: string[] = [];
  #screen: SessionScreen | undefined;
  /** Why the process is not held any more, with the last that was known of it. */
  #left: { readonly why: 'removed' | 'notKept'; readonly info: ProcessInfo } | undefined;
  readonly #subscriptions;

  constructor(options: { id: number; agent: string; hosted: HostedProcess; host: AgentHost; clock: Clock }) {
    this.id = options.id;
    this.agent = options.agent;
    this.hosted = options.hosted;
    this.#clock = options.clock;
    this.secret = new SecretPrompt(options.hosted, options.host, options.clock);
    this.#subscriptions = [
      options.hosted.onDidChangeController(() => (this.#controlChanges += 1)),
      options.hosted.onDidRemove(() => this.#leave('removed')),
      options.hosted.onPersonStops(() => this.#stoppedBy.push('A person has stopped')),
    ];
  }

  /** What people see, on one line. */
  get command(): string {
    return oneLine(this.hosted.commandLine);
  }

  /** `Session 3 (npm run dev)`, for sentences. */
  get name(): string {
    return `Session ${this.id} (${oneLine(this.hosted.commandLine, 60)})`;
  }

  /** The process; undefined once it is not held any more, and its output with it. */
  get process(): ExecProcess | undefined {
    return this.#left === undefined ? this.hosted.process : undefined;
  }

  get left(): 'removed' | 'notKept' | undefined {
    return this.#left?.why;
  }

  /** Fires when the process is not held any more. */
  get onDidLeave(): Event<void> {
    return this.#didLeave.event;
  }

  get controller(): Controller {
    return this.hosted.controller;
  }

  info(): ProcessInfo {
    return this.#left?.info ?? this.hosted.process.info();
  }

  /** Whether the process itself runs, or may for all that is known. */
  get running(): boolean {
    const { exit, state } = this.info();
    return exit === undefined && state !== 'failed' && this.left !== 'removed';
  }

  /** Whether it counts as one that its agent has to stop: it runs, or something holds its output open. */
  get live(): boolean {
    const { state } = this.info();
    // Once somebody has tried to stop it, what it has left behind counts as nobody's any more.
    const openOutput = state === 'exited' && this.#stoppedBy.length === 0;
    return this.running || (openOutput && this.#left === undefined);
  }

  cursorOf(agent: string): Cursor {
    return this.#acquaintance(agent).cursor;
  }

  /** The agent has been given the output from `from` to `to`; what it has missed before that stays new. */
  given(agent: string, from: Cursor, to: Cursor): void {
    const known = this.#acquaintance(agent);
    if (compareCursors(from, known.cursor) <= 0 && compareCursors(to, known.cursor) > 0) {
      known.cursor = to;
    }
  }

  /** An agent tries to stop it, which the others are told: their calls may see it end. */
  stopTried(agent: string): void {
    this.#stoppedBy.push(`The agent ${oneLine(agent, 60)} has called stop_session for`);
    this.#acquaintance(agent).stops = this.#stoppedBy.length;
  }

  /** What others have done with it that this agent has not been told yet; it has from now on. */
  news(agent: string): readonly string[] {
    const known = this.#acquaintance(agent);
    const news: string[] = [];
    if (known.controlChanges !== this.#controlChanges) {
      known.controlChanges = this.#controlChanges;
      news.push(
        this.controller === 'person'
          ? `A person has taken control of ${this.#inSentence}: you can read it, wait for it and stop it, but not type into it until control is given back.`
          : `A person had control of ${this.#inSentence} and has given control back.`,
      );
    }
    const stopped = this.#stoppedBy.at(-1);
    if (stopped !== undefined && known.stops !== this.#stoppedBy.length) {
      known.stops = this.#stoppedBy.length;
      news.push(`${stopped} ${this.#inSentence}.`);
    }
    if (this.left === 'removed' && !known.toldRemoved) {
      known.toldRemoved = true;
      news.push(`A person, or a limit, has taken ${this.#inSentence} off the list. Its output is gone.`);
    }
    return news;
  }

  /** How its output is to be read. */
  get terminal(): TextOptions {
    const { tty, size } = this.info();
    return { tty, columns: size?.columns ?? DEFAULT_TERMINAL_SIZE.columns, rows: size?.rows };
  }

  /** What a person would see of its terminal; kept up with from the first time on. */
  get screen(): SessionScreen {
    return (this.#screen ??= new SessionScreen(this.hosted.process, { clock: this.#clock }));
  }

  /** Lets go of the process; what is known of it stays. */
  release(): void {
    if (this.#left === undefined) {
      this.#leave('notKept');
      this.hosted.release();
    }
  }

  get #inSentence(): string {
    return `session ${this.id} (${oneLine(this.hosted.commandLine, 60)})`;
  }

  #leave(why: 'removed' | 'notKept'): void {
    if (this.#left !== undefined) {
      return;
    }
    this.#left = { why, info: this.hosted.process.info() };
    this.#subscriptions.forEach((subscription) => subscription.dispose());
    this.secret.dispose();
    this.#screen?.dispose();
    this.#screen = undefined;
    this.#didLeave.fire();
    this.#didLeave.dispose();
  }

  #acquaintance(agent: string): Acquaintance {
    let known = this.#acquaintances.get(agent);
    if (known === undefined) {
      // Of what was before it came, another agent needs no news; the one who started it was there from the beginning.
      const knowsAll = agent !== this.agent;
      known = {
        cursor: START,
        controlChanges: knowsAll ? this.#controlChanges : 0,
        stops: knowsAll ? this.#stoppedBy.length : 0,
        toldRemoved: false,
      };
      this.#acquaintances.set(agent, known);
    }
    return known;
  }
}

/** Negative if `one` is before `other`. */
export function compareCursors(one: Cursor, other: Cursor): number {
  return one.afterSeq - other.afterSeq || one.skipBytes - other.skipBytes;
}
