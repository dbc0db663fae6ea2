/** How slow a line is. */
export interface Slowness {
  readonly bytesPerSecond: number;
  /** The time that a byte takes from one end to the other. */
  readonly latencyMs: number;
}

/** The bytes of a packet on a slow line. */
const PACKET_BYTES = 4 * 1024;

/** One direction of a line: delivers its messages in order, at its rate and after its latency. */
export class SlowLink {
  readonly #slowness: Slowness | undefined;
  /** The messages on their way, each with the time at which it arrives. */
  readonly #underWay: { readonly at: number; readonly deliver: () => void }[] = [];
  /** The time at which the line has taken all that was given to it. */
  #freeAt = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param slowness Without it, everything is delivered at once. */
  constructor(slowness: Slowness | undefined) {
    this.#slowness = slowness;
  }

  /** The parts in which bytes travel. */
  *packets(bytes: Buffer): Iterable<Buffer> {
    const size = this.#slowness === undefined ? bytes.byteLength : PACKET_BYTES;
    for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
  }

  carry(bytes: number, deliver: () => void): void {
    if (this.#slowness === undefined) {
      deliver();
      return;
    }
    const { bytesPerSecond, latencyMs } = this.#slowness;
    this.#freeAt = Math.max(this.#freeAt, performance.now()) + (bytes / bytesPerSecond) * 1_000;
    this.#underWay.push({ at: this.#freeAt + latencyMs, deliver });
    this.#wait();
  }

  #wait(): void {
    const [next] = this.#underWay;
    if (next !== undefined) {
      this.#timer ??= setTimeout(() => this.#deliver(), Math.max(0, next.at - performance.now()));
    }
  }

  #deliver(): void {
    this.#timer = undefined;
    const now = performance.now();
    const due = this.#underWay.findIndex(({ at }) => at > now);
    for (const { deliver } of this.#underWay.splice(0, due < 0 ? Infinity : due)) deliver();
    this.#wait();
  }
}
