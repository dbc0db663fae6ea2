import {
  type Clock,
  type ExitStatus,
  LINE_LENGTH,
  oneLine,
  type ProcessInfo,
  type Survivor,
  untilCaughtUp,
} from '../../core/index.js';

import { type Belonging, belongingIn } from './belonging.js';
import { causeIn } from './endCause.js';
import type { Controller, FoundSession, HostedProcess } from '../host.js';
import type { InputLook } from './inputLook.js';
import { Leftovers } from './leftovers.js';
import { ForeignAgent, type SessionAgent } from './sessionAgent.js';

/** A session as lists show it. */
export interface ListedSession {
  readonly id: number;
  readonly agent: SessionAgent;
  readonly command: string;
  readonly hosted: Pick<HostedProcess, 'backend' | 'environment' | 'commandLine' | 'cwd' | 'title'>;
  readonly controller: Controller;
  readonly secret: { readonly awaited: boolean };
  readonly look: Pick<InputLook, 'found' | 'question' | 'now'>;
  /** Whether the process itself runs, or may still run as far as is known. */
  readonly running: boolean;
  readonly live: boolean;
  readonly left: 'removed' | 'notKept' | undefined;
  readonly survivors: readonly Survivor[];
  info(): ProcessInfo;
  causeOf(exit: ExitStatus, reader: SessionAgent): string | undefined;
  lookForSurvivors(): Promise<void>;
}

/** A session that was found and whose process is not held. A list does not need its output. */
export class UntakenSession implements ListedSession {
  readonly id: number;
  readonly agent: SessionAgent;
  readonly hosted: FoundSession;
  readonly secret = { awaited: false };
  readonly look = { found: undefined, question: undefined, now: () => Promise.resolve(undefined) };
  readonly left = undefined;
  readonly #leftovers: Leftovers;

  private constructor(found: FoundSession, { number }: Belonging, clock: Clock) {
    this.id = number;
    this.hosted = found;
    this.agent = new ForeignAgent(() => found.info.metadata);
    const { backend } = found;
    this.#leftovers = new Leftovers(
      { backend, survivors: () => found.survivors(), info: () => this.info() },
      clock,
    );
  }

  /** @returns undefined if its number is not known. */
  static of(found: FoundSession, clock: Clock): UntakenSession | undefined {
    const belonging = belongingIn(found.info.metadata);
    return belonging && new UntakenSession(found, belonging, clock);
  }

  get survivors(): readonly Survivor[] {
    return this.#leftovers.known;
  }

  get command(): string {
    return oneLine(this.hosted.commandLine, LINE_LENGTH);
  }

  get controller(): Controller {
    return this.hosted.controller;
  }

  get running(): boolean {
    return this.hosted.info.exit === undefined && this.hosted.info.state !== 'failed';
  }

  get live(): boolean {
    return this.running || this.hosted.info.state === 'exited';
  }

  info(): ProcessInfo {
    return this.hosted.info;
  }

  causeOf(exit: ExitStatus, reader: SessionAgent): string | undefined {
    return causeIn(this.hosted.info, exit, reader)?.text;
  }

  /**
   * Takes hold of it. Resolves once its output from before has arrived.
   *
   * @throws Error if it no longer exists.
   */
  async take(clock: Clock): Promise<HostedProcess> {
    const hosted = await this.hosted.take();
    await untilCaughtUp(hosted.process, clock);
    return hosted;
  }

  lookForSurvivors(): Promise<void> {
    return this.#leftovers.look();
  }
}
