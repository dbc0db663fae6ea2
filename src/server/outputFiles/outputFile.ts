import { Alarm, type Clock, type ExecEvent, type KeptOutput, type PrintedAmount } from '../../core/index.js';
import { type FileRecord, readSegments, Segment, type SegmentBatch, sumOf } from '../../machine/index.js';
import { WRITE_DELAY_MS, WRITE_QUEUE_BYTES } from '../limits.js';
import { RecordQueue } from './recordQueue.js';

export interface OutputFileOptions {
  /** Gives the path of the next file. May throw. */
  readonly nextFile: () => string;
  /** The most bytes that its files may have. Asked each time. */
  readonly mostBytes: () => number;
  readonly clock: Clock;
  /** Called after each writing. */
  readonly onWritten: () => void;
  /** Called once, when no more output can be written. Output that is on disk can still be read. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * The output of one process on disk, with its numbers and the times at which it came. It is written apart from the
 * process, in batches: {@link append} never waits, and leaves a gap if the disk is too slow.
 *
 * There are up to two files, each with half of the room; when the newer one is full, the older one is removed. The
 * output of a removed file is missing.
 */
export class OutputFile {
  readonly #options: OutputFileOptions;
  readonly #queue = new RecordQueue(WRITE_QUEUE_BYTES);
  readonly #alarm: Alarm;
  /** Oldest first. */
  #segments: Segment[] = [];
  /** All output that was taken from the queue so far. */
  #amount: PrintedAmount = { bytes: 0 };
  /** The newest task that uses the files: one task follows the other. */
  #last: Promise<unknown> = Promise.resolve();
  /** The turns that will each write a batch. */
  #turns = 0;
  #over = false;

  constructor(options: OutputFileOptions) {
    this.#options = options;
    this.#alarm = new Alarm(options.clock);
  }

  /** The bytes that it takes of the disk. */
  get size(): number {
    return this.#segments.reduce((sum, { size }) => sum + size, 0);
  }

  /** Takes output, or a gap in it. The bytes are copied. */
  append(event: Extract<ExecEvent, { type: 'output' | 'gap' }>): void {
    if (this.#over) {
      return;
    }
    this.#queue.push(recordOf(event, this.#options.clock.wallTime()));
    this.#writeSoon();
  }

  /**
   * Reads output after a number, up to a size; the first chunk always fits. All output that was appended until now is
   * written first.
   */
  async read(afterSeq: number, maxBytes: number): Promise<KeptOutput> {
    this.#writeNow();
    return this.#inTurn(() => readSegments(this.#segments, { afterSeq, maxBytes }));
  }

  /** Removes all files. Output that is appended from now on is kept again. */
  async restart(): Promise<void> {
    await this.#inTurn(async () => {
      const segments = this.#segments;
      this.#segments = [];
      await Promise.all(segments.map((segment) => segment.remove()));
    });
  }

  /** Writes all appended output, and takes no more. Written output can be read. */
  async end(): Promise<void> {
    this.#over = true;
    this.#alarm.dispose();
    await this.#inTurn(async () => {
      while (!this.#queue.isEmpty) {
        await this.#writeOne();
      }
      // Some file systems tell only now that they had no room.
      await this.#close().catch(this.#options.onFailure);
    });
  }

  async remove(): Promise<void> {
    this.#over = true;
    this.#alarm.dispose();
    this.#queue.clear();
    await this.restart();
  }

  #writeSoon(): void {
    if (this.#queue.isFull) {
      this.#writeNow();
    } else if (this.#turns === 0 && !this.#queue.isEmpty) {
      this.#alarm.setUnlessSet(WRITE_DELAY_MS, () => this.#writeNow());
    }
  }

  /** Each batch has a turn of its own, so that a reader waits only for the batches before it. */
  #writeNow(): void {
    this.#alarm.dispose();
    while (this.#turns < this.#queue.batches) {
      this.#turns += 1;
      void this.#inTurn(async () => {
        await this.#writeOne();
        this.#turns -= 1;
        if (!this.#over) {
          this.#writeSoon();
        }
      });
    }
  }

  async #writeOne(): Promise<void> {
    const batch = this.#queue.take();
    if (batch === undefined) {
      return;
    }
    try {
      await (await this.#segmentFor(batch)).append(batch);
      this.#amount = sumOf(this.#amount, batch.amount);
      this.#queue.giveBack(batch);
      this.#options.onWritten();
    } catch (error) {
      this.#over = true;
      this.#queue.clear();
      // Its own failure adds nothing to the one that is told.
      await this.#close().catch(() => undefined);
      this.#options.onFailure(error);
    }
  }

  async #segmentFor(batch: SegmentBatch): Promise<Segment> {
    const newest = this.#segments.at(-1);
    if (newest !== undefined && newest.size + batch.bytes.length <= this.#options.mostBytes() / 2) {
      return newest;
    }
    // Old files go before the next one is made, so that a disk that is full of them has room again.
    const gone = this.#segments.slice(0, -1);
    this.#segments = this.#segments.slice(-1);
    await Promise.all(gone.map((segment) => segment.remove()));
    await newest?.close();
    const segment = await Segment.create(this.#options.nextFile(), this.#amount, batch.fromSeq);
    this.#segments.push(segment);
    return segment;
  }

  async #close(): Promise<void> {
    await Promise.all(this.#segments.map((segment) => segment.close()));
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

function recordOf(event: Extract<ExecEvent, { type: 'output' | 'gap' }>, at: number): FileRecord {
  return event.type === 'output'
    ? { type: 'output', seq: event.seq, stream: event.stream, bytes: event.bytes, at }
    : {
        type: 'gap',
        fromSeq: event.fromSeq,
        throughSeq: event.throughSeq,
        at,
        ...(event.bytes !== undefined && { bytes: event.bytes }),
      };
}
