import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';

import { Alarm, type Clock, type Disposable, type ExecProcess } from '../../core/index.js';

/** The silence after the exit with which the output on a terminal counts as complete, in milliseconds. */
const SILENCE_MS = 100;
/** The time after the exit for which a client waits for the end of the output that goes into a file, in milliseconds. */
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
  #wroteAt = 0;

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
    if (this.#output !== 'pipe') {
      this.#wait(this.#output === 'terminal' ? SILENCE_MS : LIMIT_MS);
    }
  }

  /** More output is written. */
  wrote(): void {
    this.#wroteAt = this.#clock.now();
  }

  dispose(): void {
    this.#exitedAt = undefined;
    this.#alarm.dispose();
  }

  #wait(delayMs: number): void {
    this.#alarm.set(delayMs, () => this.#look());
  }

  async #look(): Promise<void> {
    const found = await this.#session.survivors().catch(() => undefined);
    if (this.#exitedAt === undefined) {
      return;
    }
    const now = this.#clock.now();
    const waited = now - this.#exitedAt;
    const isOver = waited >= LIMIT_MS;
    const isSilent = now - this.#wroteAt >= SILENCE_MS;
    const isHeld = found?.some(({ holdsOutput }) => holdsOutput === true) === true;
    // Without a known holder, a slow server may only be late with the rest of the output.
    const atLeast = isHeld && this.#output === 'terminal' ? 0 : found?.length === 0 ? 2 * LIMIT_MS : LIMIT_MS;
    if (waited >= atLeast && (isSilent || (isHeld && isOver))) {
      this.#leave();
    } else {
      this.#wait(isOver ? LIMIT_MS : SILENCE_MS);
    }
  }
}

export function kindOfOutput(): 'terminal' | 'file' | 'pipe' {
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
