import { EARLY_BYTES, EARLY_EVENTS } from '../limits.js';
import { endOf, toKeep, type RemoteEvent, type RemoteGap } from '../session/remoteEvent.js';

/** Delivers the events of one process in the order of their numbers, each once. Early events wait. */
export class EventSorter {
  readonly #deliver: (event: RemoteEvent) => void;
  /** Early events by their numbers. */
  readonly #early = new Map<number, RemoteEvent>();
  #earlyBytes = 0;
  #lastSeq = 0;
  #exitSeq: number | undefined;
  #closedSeq: number | undefined;
  #disposed = false;

  /** @param deliver Gets every number once and in order; a gap stands for the numbers that it covers. */
  constructor(deliver: (event: RemoteEvent) => void) {
    this.#deliver = deliver;
  }

  /** The last number that has been delivered. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Whether an event waits for an earlier number. */
  get hasHole(): boolean {
    return this.#early.size > 0;
  }

  /** The number of the exit, once it is known; the exit itself may still wait for its turn. */
  get exitSeq(): number | undefined {
    return this.#exitSeq;
  }

  add(event: RemoteEvent): void {
    const end = endOf(event);
    if (this.#disposed || end <= this.#lastSeq) {
      return;
    }
    if (event.type === 'exited') {
      if (this.#exitSeq !== undefined && this.#exitSeq !== event.seq) {
        return;
      }
      this.#exitSeq = event.seq;
    }
    if (event.type === 'closed') {
      if (this.#closedSeq !== undefined && this.#closedSeq !== event.seq) {
        return;
      }
      this.#closedSeq = event.seq;
    }
    if (event.seq > this.#lastSeq + 1) {
      this.#wait(event);
      return;
    }
    this.#pass(event, end);
    this.#passEarly();
  }

  /**
   * Adds the result of reading: all events that the server has after the delivered ones. A gap covers only numbers that
   * do not wait here: output that was sent before its eviction is not lost.
   */
  addRead(events: readonly RemoteEvent[]): void {
    for (const event of events) {
      if (event.type === 'gap') {
        this.#addGap(event);
      } else {
        this.add(event);
      }
    }
  }

  /** Delivers a gap in place of the numbers before the first event that waits. */
  giveUpHole(): void {
    if (this.hasHole) {
      const next = Math.min(...this.#early.keys());
      this.#pass({ type: 'gap', seq: this.#lastSeq + 1, throughSeq: next - 1 }, next - 1);
      this.#passEarly();
    }
  }

  /** Drops all waiting events, and ignores later ones. */
  dispose(): void {
    this.#disposed = true;
    this.#early.clear();
  }

  #pass(event: RemoteEvent, end: number): void {
    const first = this.#lastSeq + 1;
    this.#lastSeq = end;
    if (event.type === 'gap' && event.seq < first) {
      // A part of the gap has been delivered. The size of the rest is unknown.
      const { totalBytes, modes } = event;
      this.#deliver({
        type: 'gap',
        seq: first,
        throughSeq: end,
        ...(totalBytes !== undefined && { totalBytes }),
        ...(modes !== undefined && { modes }),
      });
    } else {
      this.#deliver(event);
    }
  }

  #passEarly(): void {
    for (;;) {
      const next = this.#take(this.#lastSeq + 1);
      if (next === undefined) {
        break;
      }
      this.#pass(next, endOf(next));
    }
    if (this.#early.size > 0) {
      // A gap may have covered some early events.
      for (const seq of [...this.#early.keys()].filter((early) => early <= this.#lastSeq)) {
        this.#take(seq);
      }
    }
  }

  #take(seq: number): RemoteEvent | undefined {
    const event = this.#early.get(seq);
    if (event !== undefined) {
      this.#early.delete(seq);
      this.#earlyBytes -= sizeOf(event);
    }
    return event;
  }

  #wait(event: RemoteEvent): void {
    if (this.#early.has(event.seq)) {
      return;
    }
    const size = sizeOf(event);
    const full = this.#early.size >= EARLY_EVENTS || this.#earlyBytes + size > EARLY_BYTES;
    // The exit and the close are always kept: there is one of each, and servers do not send them again.
    if (!full || event.type === 'exited' || event.type === 'closed') {
      this.#early.set(event.seq, toKeep(event));
      this.#earlyBytes += size;
    }
  }

  #addGap(gap: RemoteGap): void {
    const from = this.#lastSeq + 1;
    const early = [...this.#early.values()].filter(({ seq }) => seq >= from && seq <= gap.throughSeq);
    const holes = holesBetween(early, from, gap.throughSeq);
    for (const { seq, throughSeq } of holes) {
      const behind = early.filter((event) => event.seq > throughSeq);
      const isLast =
        behind.every((event) => event.type === 'output') && throughSeq === holes.at(-1)?.throughSeq;
      const totalBytes =
        isLast && gap.totalBytes !== undefined ? gap.totalBytes - totalSize(behind) : undefined;
      const hole = {
        type: 'gap',
        seq,
        throughSeq,
        ...(totalBytes !== undefined && { totalBytes }),
        ...(throughSeq === gap.throughSeq && gap.modes !== undefined && { modes: gap.modes }),
      } as const;
      this.#pass(hole, throughSeq);
      this.#passEarly();
    }
    this.#passEarly();
  }
}

/** The ranges up to `throughSeq` that the events do not cover. */
function holesBetween(
  events: readonly RemoteEvent[],
  fromSeq: number,
  throughSeq: number,
): { readonly seq: number; readonly throughSeq: number }[] {
  const holes: { seq: number; throughSeq: number }[] = [];
  let next = fromSeq;
  for (const event of [...events].sort((one, other) => one.seq - other.seq)) {
    if (event.seq > next) {
      holes.push({ seq: next, throughSeq: event.seq - 1 });
    }
    next = Math.max(next, endOf(event) + 1);
  }
  if (next <= throughSeq) {
    holes.push({ seq: next, throughSeq });
  }
  return holes;
}

function totalSize(events: readonly RemoteEvent[]): number {
  return events.reduce((total, event) => total + sizeOf(event), 0);
}

function sizeOf(event: RemoteEvent): number {
  return event.type === 'output' ? event.bytes.byteLength : 0;
}

/** Keeps the events of a process that is not described yet, up to a bound; later events are read afterwards. */
export class EarlyEvents {
  readonly #events: RemoteEvent[] = [];
  #bytes = 0;

  told(event: RemoteEvent): void {
    const size = sizeOf(event);
    if (this.#events.length < EARLY_EVENTS && this.#bytes + size <= EARLY_BYTES) {
      this.#events.push(toKeep(event));
      this.#bytes += size;
    }
  }

  get events(): readonly RemoteEvent[] {
    return this.#events;
  }
}
