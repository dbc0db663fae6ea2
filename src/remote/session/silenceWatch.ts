import { Alarm, type Clock, type Disposable } from '../../core/index.js';
import type { Signs } from '../../protocol/index.js';

/** The looks without a sign of life before the other side is asked for one, and between further requests. */
const ASK_AFTER = 4;
/** The looks without a sign of life before the line counts as silent. */
const SILENT_AFTER = 12;

/** The time after which a line counts as silent, in milliseconds. */
export function silentAfterMs(intervalMs: number): number {
  return (intervalMs * SILENT_AFTER) / ASK_AFTER;
}

/** A line without pings of its own, such as the pipes of a command. */
interface WatchedLine {
  signs(): Signs;
  /** Sends a message that the other side answers. */
  ask(): void;
  /** Called when there has been no sign of life for too long. */
  silent(): void;
  /** Called when there is a sign of life again. */
  heard(): void;
}

/**
 * Notices that a line has fallen silent, and that it is alive after all. It looks for signs of life several times
 * within the interval of the other side. It counts looks and not time: a sleep of this machine, or a stop of this
 * program, is not the other side's fault.
 */
export class SilenceWatch implements Disposable {
  readonly #line: WatchedLine;
  readonly #intervalMs: number;
  readonly #alarm: Alarm;
  #last: Signs;
  #quiet = 0;

  /** @param intervalMs The interval in which the other side gives a sign of life, in milliseconds. */
  constructor(clock: Clock, intervalMs: number, line: WatchedLine) {
    this.#line = line;
    this.#intervalMs = intervalMs;
    this.#alarm = new Alarm(clock);
    this.#last = line.signs();
    this.#lookLater();
  }

  dispose(): void {
    this.#alarm.dispose();
  }

  #lookLater(): void {
    this.#alarm.set(this.#intervalMs / ASK_AFTER, () => {
      this.#lookLater();
      this.#look();
    });
  }

  #look(): void {
    const before = this.#last;
    const now = this.#line.signs();
    this.#last = now;
    // Bytes of ours that the other side takes count as long as others wait: it is slow, but alive.
    if (now.received > before.received || (before.waiting > 0 && now.handed > before.handed)) {
      const wasSilent = this.#quiet >= SILENT_AFTER;
      this.#quiet = 0;
      if (wasSilent) {
        this.#line.heard();
      }
      return;
    }
    this.#quiet += 1;
    if (this.#quiet === SILENT_AFTER) {
      this.#line.silent();
    } else if (this.#quiet % ASK_AFTER === 0) {
      this.#line.ask();
    }
  }
}
