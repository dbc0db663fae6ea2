import {
  type Clock,
  type ExecProcess,
  type ExitStatus,
  LINE_LENGTH,
  oneLine,
  type ProcessInfo,
  type Survivor,
} from '../../core/index.js';

import { type Belonging, belongingIn } from './belonging.js';
import { causeIn } from './endCause.js';
import type { Controller, FoundSession, HostedProcess } from '../host.js';
import { Leftovers } from './leftovers.js';
import { ForeignAgent, type SessionAgent } from './sessionAgent.js';

/** The time to wait for the output of a process after taking hold of it, in milliseconds. */
const OUTPUT_MS = 10_000;

/** A session as lists show it. */
export interface ListedSession {
  readonly id: number;
  readonly agent: SessionAgent;
  readonly command: string;
  readonly hosted: Pick<HostedProcess, 'backend' | 'environment' | 'commandLine' | 'cwd' | 'title'>;
  readonly controller: Controller;
  readonly secret: { readonly awaited: boolean };
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
   * Takes hold of it. Resolves when everything that its log had when it was listed has arrived. Before that, a call
   * would take a state or output that is still on its way for a missing one.
   *
   * @throws Error if it no longer exists.
   */
  async take(clock: Clock): Promise<HostedProcess> {
    const hosted = await this.hosted.take();
    const { output, priorSeq = 0 } = this.info();
    await hasCome(hosted.process, Math.max(output.lastSeq, priorSeq), clock);
    return hosted;
  }

  lookForSurvivors(): Promise<void> {
    return this.#leftovers.look();
  }
}

/** Resolves when the log of a process has reached that number, or when it never will, or when the time is over. */
async function hasCome(process: ExecProcess, seq: number, clock: Clock): Promise<void> {
  const isThere = () => process.info().state === 'failed' || process.info().output.lastSeq >= seq;
  if (isThere()) {
    return;
  }
  await new Promise<void>((resolve) => {
    const done = () => {
      limit.dispose();
      waking.dispose();
      resolve();
    };
    const limit = clock.after(OUTPUT_MS, done);
    const waking = process.onWake(() => {
      if (isThere()) {
        done();
      }
    });
  });
}
