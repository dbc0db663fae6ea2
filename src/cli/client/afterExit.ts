import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';

import { Alarm, type Clock, type Disposable, type ExecProcess } from '../../core/index.js';

/** The silence after the exit with which the output on a terminal counts as complete, in milliseconds. */
const SILENCE_MS = 100;
/** The usual time after the exit for which a client waits for the end of the output, in milliseconds. */
const LIMIT_MS = 2_000;

/**
 * Decides when a client leaves a session that has exited, and whose output is held open by a process that it started.
 * As with other programs, only the reader of a pipe waits for the end of the output.
 */
export class AfterExit implements Disposable {
  readonly #session: Pick<ExecProcess, 'survivors'>;
  readonly #clock: Clock;
  readonly #alarm: Alarm;
  readonly #output = kindOfOutput();
  readonly #leave: () => void;
  #exitedAt: number | undefined;

  /** @param leave May be called late, and more than once. */
  constructor(session: Pick<ExecProcess, 'survivors'>, clock: Clock, leave: () => void) {
    this.#session = session;
    this.#clock = clock;
    this.#alarm = new Alarm(clock);
    this.#leave = leave;
  }

  /** The session has exited, and its output so far is written. */
  begin(): void {
    this.#exitedAt = this.#clock.now();
    this.#wait();
  }

  /** More output is written. */
  wrote(): void {
    if (this.#exitedAt !== undefined && this.#clock.now() - this.#exitedAt < LIMIT_MS) {
      this.#wait();
    }
  }

  dispose(): void {
    this.#exitedAt = undefined;
    this.#alarm.dispose();
  }

  #wait(): void {
    if (this.#exitedAt === undefined || this.#output === 'pipe') {
      return;
    }
    const left = this.#exitedAt + LIMIT_MS - this.#clock.now();
    const usual = this.#output === 'terminal' ? SILENCE_MS : LIMIT_MS;
    this.#alarm.set(Math.max(SILENCE_MS, Math.min(usual, left)), () => this.#look());
  }

  /** A slow server may only be late with the end of the output: then no process holds it. */
  async #look(): Promise<void> {
    const found = await this.#session.survivors().catch(() => undefined);
    if (this.#exitedAt === undefined) {
      return;
    }
    const isOver = this.#clock.now() - this.#exitedAt >= LIMIT_MS;
    const holds = found?.some(({ holdsOutput }) => holdsOutput === true) === true;
    if (holds || (isOver && found?.length !== 0)) {
      this.#leave();
    } else {
      this.#wait();
    }
  }
}

function kindOfOutput(): 'terminal' | 'file' | 'pipe' {
  if (isatty(1)) {
    return 'terminal';
  }
  try {
    const status = fstatSync(1);
    return status.isFile() || status.isCharacterDevice() ? 'file' : 'pipe';
  } catch {
    return 'pipe';
  }
}
