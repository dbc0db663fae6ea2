/** Output that comes within this many milliseconds shares a time, at first. */
const FINEST_MS = 100;
/** The most times that are kept for one process: about 40 KB. */
const MOST = 1_024;

interface Span {
  readonly seq: number;
  /** In milliseconds since 1970. */
  readonly time: number;
}

/**
 * Knows roughly when the output of a process came. The more time it spans, the rougher it gets, so that it stays small.
 * It never reports output as older than it is.
 */
export class OutputTimes {
  /** The first number of each span, and the time at which it came. */
  #spans: Span[] = [];
  #apartMs = FINEST_MS;
  #lastSeq = 0;
  #lastTime = Number.NEGATIVE_INFINITY;

  /** Takes note of new output. Both values grow; a clock that is set back counts as one that stands still. */
  note(seq: number, time: number): void {
    const came = Math.max(time, this.#lastTime);
    this.#lastSeq = seq;
    this.#lastTime = came;
    const before = this.#spans.at(-1);
    if (before === undefined || came >= before.time + this.#apartMs) {
      this.#spans.push({ seq, time: came });
    }
    while (this.#spans.length > MOST) {
      this.#apartMs *= 2;
      this.#spans = apart(this.#spans, this.#apartMs);
    }
  }

  /** The highest number that is known to have come before a time; 0 if there is no such number. */
  seqBefore(time: number): number {
    return this.#lastTime < time
      ? this.#lastSeq
      : (this.#spans.findLast((span) => span.time < time)?.seq ?? 0);
  }
}

/** Leaves out spans that began too soon after one that stays. */
function apart(spans: readonly Span[], ms: number): Span[] {
  let next = Number.NEGATIVE_INFINITY;
  return spans.filter(({ time }) => {
    const stays = time >= next;
    next = stays ? time + ms : next;
    return stays;
  });
}
