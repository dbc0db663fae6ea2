import type { ExecFailure } from '../failures/index.js';
import type { TerminalSize } from '../process/terminalSize.js';
import { ChunkRing, type LogLimits } from './chunkRing.js';
import type {
  Evicted,
  ExecEvent,
  ExitStatus,
  GapEvent,
  OutputChunk,
  OutputStream,
  ReadResponse,
} from '../process/execEvents.js';
import type { LogPosition, LogSource } from './logSubscription.js';
import { MissingRanges } from './missingRanges.js';
import { type ModesReader, TerminalHistory } from './terminalHistory.js';

/** Counts of the output that a log has taken, and of the output that it still keeps. */
export interface LogStats {
  /** All output so far, evicted or not. */
  readonly bytes: number;
  readonly chunks: number;
  readonly retainedBytes: number;
  readonly evicted: Evicted;
  /** Output that never reached the log. `bytes` counts only the chunks whose size is known. */
  readonly missing: { readonly chunks: number; readonly bytes: number };
  /** The highest number given so far; 0 before the first. */
  readonly lastSeq: number;
}

const START: LogPosition = { seq: 0, chunks: 0, bytes: 0 };
/** The place of a subscriber that has got the failure: after every number. */
const BEHIND_FAILURE = Number.POSITIVE_INFINITY;

/**
 * The facts of a log, without its readers: the retained output of one process and the number of every event. One
 * counter, from 1, numbers each output chunk, the exit and the close; evicted output is counted.
 */
export class LogRecord implements LogSource {
  readonly #ring: ChunkRing;
  readonly #missing = new MissingRanges();
  readonly #terminal: TerminalHistory;
  #lastSeq = 0;
  #exit: { readonly status: ExitStatus; readonly before: LogPosition; readonly seq: number } | undefined;
  #closedSeq: number | undefined;
  #failure: ExecFailure | undefined;

  /** @param modes Follows the modes of the terminal; absent for a process without a terminal. */
  constructor(limits: LogLimits, modes: ModesReader | undefined) {
    const terminal = new TerminalHistory(modes);
    this.#terminal = terminal;
    this.#ring = new ChunkRing(limits, modes && ((seq, bytes) => terminal.evicted(seq, bytes)));
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  get exit(): ExitStatus | undefined {
    return this.#exit?.status;
  }

  get closed(): boolean {
    return this.#closedSeq !== undefined;
  }

  get failure(): ExecFailure | undefined {
    return this.#failure;
  }

  /** Whether nothing can follow any more. */
  get ended(): boolean {
    return this.closed || this.#failure !== undefined;
  }

  /** The place after every numbered event. */
  get end(): LogPosition {
    return { seq: this.#lastSeq, chunks: this.#ring.totalChunks, bytes: this.#ring.totalBytes };
  }

  get stats(): LogStats {
    return {
      bytes: this.#ring.totalBytes,
      chunks: this.#ring.totalChunks,
      retainedBytes: this.#ring.retainedBytes,
      evicted: this.#ring.evicted,
      missing: this.#missing.total,
      lastSeq: this.#lastSeq,
    };
  }

  /** Bytes of memory that the retained output holds. */
  get allocatedBytes(): number {
    return this.#ring.allocatedBytes;
  }

  /**
   * Copies one chunk of output, which must not be empty.
   *
   * @returns its event, with `bytes` itself and not the copy.
   * @throws Error after the close or a failure.
   */
  addOutput(stream: OutputStream, bytes: Uint8Array): ExecEvent {
    const seq = this.#nextNumber('output');
    const size = this.#terminal.output(seq);
    this.#ring.push(seq, stream, bytes);
    return { type: 'output', seq, stream, bytes, ...(size && { size }) };
  }

  /** Output that follows was written for a terminal of this size. */
  resized(size: TerminalSize): void {
    this.#terminal.resized(size);
  }

  /**
   * @param modes See {@link GapEvent.modes}.
   * @throws Error after the close or a failure.
   */
  addMissing(throughSeq: number, bytes: number | undefined, modes: string | undefined): ExecEvent {
    const fromSeq = this.#nextNumber('output');
    this.#lastSeq = throughSeq;
    const chunks = throughSeq - fromSeq + 1;
    const missing = { fromSeq, throughSeq, chunks, ...(bytes !== undefined && { bytes }) };
    this.#missing.add(missing);
    if (modes !== undefined) {
      this.#terminal.missing(throughSeq, modes);
    }
    return { type: 'gap', ...missing, ...(modes !== undefined && { modes }) };
  }

  /** @throws Error if the process has exited before, or after a failure. */
  addExit(status: ExitStatus): ExecEvent {
    if (this.#exit !== undefined) {
      throw new Error('A process exits once.');
    }
    const before = this.end;
    const seq = this.#nextNumber('exit');
    this.#exit = { status, before, seq };
    return { type: 'exited', seq, status };
  }

  /** @throws Error before the exit, if it was closed before, or after a failure. */
  addClose(): ExecEvent {
    if (this.#exit === undefined) {
      throw new Error('A process closes after it has exited.');
    }
    const seq = this.#nextNumber('close');
    this.#closedSeq = seq;
    this.#ring.compact();
    return { type: 'closed', seq };
  }

  /** Ends a log that has not ended. A failure has no number: its place is after all numbers. */
  fail(failure: ExecFailure): { readonly event: ExecEvent; readonly behind: LogPosition } {
    this.#failure = failure;
    this.#ring.compact();
    return { event: { type: 'failed', failure }, behind: { ...this.end, seq: BEHIND_FAILURE } };
  }

  evictTo(bytes: number): void {
    this.#ring.evictTo(bytes);
    this.#ring.compact();
  }

  /** Reads the output that is retained after a number; see `ProcessLog.read`. */
  read(afterSeq: number, maxBytes: number | undefined): ReadResponse {
    const most = maxBytes ?? Number.POSITIVE_INFINITY;
    const chunks: OutputChunk[] = [];
    let total = 0;
    for (let index = this.#ring.indexAfter(afterSeq); index < this.#ring.count; index++) {
      const size = this.#ring.sizeAt(index);
      if (chunks.length > 0 && (total >= most || total + size > most)) {
        break;
      }
      chunks.push(this.#chunk(index));
      total += size;
    }
    const lastChunk = chunks.at(-1);
    const bounded = maxBytes !== undefined && lastChunk !== undefined;
    const nextSeq = bounded ? lastChunk.seq + 1 : this.#lastSeq + 1;
    const missing = this.#missing.within(afterSeq, nextSeq - 1);
    return {
      chunks,
      nextSeq,
      exited: this.#exit !== undefined,
      ...(this.#exit && { exit: this.#exit.status, exitSeq: this.#exit.seq }),
      closed: this.ended,
      ...(this.#failure !== undefined && { failure: this.#failure }),
      ...(afterSeq < this.#ring.evicted.throughSeq && {
        evicted: { ...this.#ring.evicted, ...this.#modesAfter(this.#ring.evicted.throughSeq) },
      }),
      ...(missing.length > 0 && { missing }),
    };
  }

  /** The place of a reader that has seen everything up to `seq`. Evicted output above `seq` will be its gap. */
  positionAfter(seq: number): LogPosition {
    if (seq <= 0) {
      return START;
    }
    const { end } = this;
    if (seq >= end.seq) {
      return end;
    }
    const { evicted } = this.#ring;
    if (seq < evicted.throughSeq) {
      // The next event is a gap up to the next known place; the sizes of the single chunks in it are unknown.
      return { seq, chunks: 0, bytes: Number.NaN };
    }
    const index = this.#ring.indexAfter(seq);
    let bytes = evicted.bytes;
    for (let earlier = 0; earlier < index; earlier++) {
      bytes += this.#ring.sizeAt(earlier);
    }
    return { seq, chunks: evicted.chunks + index, bytes };
  }

  sizeAfter(position: LogPosition): number | undefined {
    if (position.seq >= this.#lastSeq) {
      return this.#failure !== undefined && position.seq !== BEHIND_FAILURE ? 0 : undefined;
    }
    const next = this.#nextChunk(position);
    return next?.seq === position.seq + 1 ? this.#ring.sizeAt(next.index) : 0;
  }

  eventAfter(position: LogPosition): { event: ExecEvent; behind: LogPosition } | undefined {
    const seq = position.seq + 1;
    if (seq === this.#exit?.seq) {
      return { event: { type: 'exited', seq, status: this.#exit.status }, behind: { ...position, seq } };
    }
    if (seq === this.#closedSeq) {
      return { event: { type: 'closed', seq }, behind: { ...position, seq } };
    }
    if (position.seq >= this.#lastSeq) {
      if (this.#failure === undefined || position.seq === BEHIND_FAILURE) {
        return undefined;
      }
      const event = { type: 'failed', failure: this.#failure } as const;
      return { event, behind: { ...position, seq: BEHIND_FAILURE } };
    }
    if (position.seq < this.#ring.evicted.throughSeq) {
      return this.#gapAfter(position);
    }
    const next = this.#nextChunk(position);
    if (next?.seq !== seq) {
      return this.#missingAfter(position, next?.seq);
    }
    const chunk = this.#chunk(next.index);
    return {
      event: { type: 'output', ...chunk },
      behind: {
        seq: chunk.seq,
        chunks: position.chunks + 1,
        bytes: position.bytes + chunk.bytes.byteLength,
      },
    };
  }

  #chunk(index: number): OutputChunk {
    const chunk = this.#ring.at(index);
    const size = this.#terminal.sizeFrom(chunk.seq, index === 0);
    return size === undefined ? chunk : { ...chunk, size };
  }

  /** The modes after evicted or missing output that ends with this number. */
  #modesAfter(throughSeq: number): { readonly modes?: string } {
    const modes = this.#terminal.modesAfter(throughSeq, this.#ring.evicted.throughSeq);
    return modes === undefined ? {} : { modes };
  }

  /** The retained chunk that comes next; undefined if there is no chunk, or if earlier ones were evicted. */
  #nextChunk(position: LogPosition): { index: number; seq: number } | undefined {
    if (position.seq < this.#ring.evicted.throughSeq) {
      return undefined;
    }
    const index = position.chunks - this.#ring.evicted.chunks;
    return index < this.#ring.count ? { index, seq: this.#ring.seqAt(index) } : undefined;
  }

  /**
   * The gap that comes next. A gap ends before the exit, which is always delivered; output that is missing after the
   * exit is a gap of its own.
   */
  #gapAfter(position: LogPosition): { event: ExecEvent; behind: LogPosition } {
    const { evicted } = this.#ring;
    const before = this.#exit?.before;
    const behind =
      before !== undefined && position.seq < before.seq && before.seq < evicted.throughSeq
        ? before
        : { seq: evicted.throughSeq, chunks: evicted.chunks, bytes: evicted.bytes };
    const missing = this.#missing.bytesWithin(position.seq, behind.seq);
    const bytes = behind.bytes - position.bytes + (missing ?? Number.NaN);
    return { event: { ...gapBetween(position, behind, bytes), ...this.#modesAfter(behind.seq) }, behind };
  }

  /** The output that never reached the log, up to the next event that did. */
  #missingAfter(
    position: LogPosition,
    nextChunk: number | undefined,
  ): { event: ExecEvent; behind: LogPosition } {
    const ahead = [nextChunk, this.#exit?.seq, this.#closedSeq, this.#lastSeq + 1];
    const next = Math.min(...ahead.flatMap((seq) => (seq !== undefined && seq > position.seq ? [seq] : [])));
    const behind = { ...position, seq: next - 1 };
    const bytes = this.#missing.bytesWithin(position.seq, behind.seq);
    return { event: { ...gapBetween(position, behind, bytes), ...this.#modesAfter(behind.seq) }, behind };
  }

  #nextNumber(what: string): number {
    if (this.ended) {
      throw new Error(`No ${what} can follow: the log ${this.closed ? 'is closed' : 'has failed'}.`);
    }
    this.#lastSeq += 1;
    return this.#lastSeq;
  }
}

/** @param bytes Its size; undefined or NaN if unknown. */
function gapBetween(position: LogPosition, behind: LogPosition, bytes: number | undefined): GapEvent {
  return {
    type: 'gap',
    fromSeq: position.seq + 1,
    throughSeq: behind.seq,
    chunks: behind.seq - position.seq,
    ...(bytes !== undefined && !Number.isNaN(bytes) && { bytes }),
  };
}
