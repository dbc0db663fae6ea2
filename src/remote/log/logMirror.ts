import {
  type Clock,
  ExecError,
  isPossibleSize,
  type ExecFailure,
  type LogLimits,
  ProcessLog,
} from '../../core/index.js';
import { type ResultOf, WireClosedError } from '../../protocol/index.js';
import { OutputModes } from '../../terminal/index.js';
import type { Calls } from '../session/resumableConnection.js';
import { CatchUp, type ReadingEnd } from './catchUp.js';
import { EventSorter } from './eventSorter.js';
import { exitStatus, fromBase64 } from '../session/notifications.js';
import { explainRead, type ReadState } from './explainRead.js';
import { EARLY_EVENTS, PAGE_BYTES, REQUEST_MS } from '../limits.js';
import { creditWindow, OutputCredit } from './outputCredit.js';
import { isCountable, type RemoteEvent, type RemoteGap, type RemoteOutput } from '../session/remoteEvent.js';
import type { ServerFacts } from '../session/serverFacts.js';
import { execErrorOf, isPassing, type NamedProcess } from '../session/wireFailures.js';

/** The longest text that tells the modes of a terminal, in characters. Our server's is about 10,000 at most. */
const MOST_MODES = 16 * 1024;
const NOT_COUNTABLE = 'It numbers output so high that it cannot be counted.';

/** Keeps a log in step with a server's log, from the server's notifications and by reading what is missing. */
export class LogMirror {
  readonly log: ProcessLog;
  /** The most bytes of output that may be under way to the log, with a server that supports a window. */
  readonly windowBytes: number;
  readonly #process: NamedProcess;
  readonly #server: ServerFacts;
  readonly #calls: Calls;
  readonly #onChange: () => void;
  readonly #sorter: EventSorter;
  readonly #catchUp: CatchUp;
  readonly #credit: OutputCredit | undefined;
  /** The first number that the current connection has sent unasked; later events arrive unasked as well. */
  #firstTold: number | undefined;
  /** The bytes of all output so far; undefined if output of unknown size is missing. */
  #bytes: number | undefined = 0;

  constructor(options: {
    process: NamedProcess;
    server: ServerFacts;
    calls: Calls;
    limits: LogLimits;
    clock: Clock;
    /** Called when the process has exited, closed or failed. */
    onChange: () => void;
  }) {
    const { process, server, calls, limits, clock } = options;
    this.#process = process;
    this.#server = server;
    this.#calls = calls;
    this.#onChange = options.onChange;
    this.log = new ProcessLog({ limits, clock, modes: new OutputModes() });
    this.windowBytes = creditWindow(limits);
    const sorter = new EventSorter((event) => this.#take(event));
    this.#sorter = sorter;
    this.#catchUp = new CatchUp(
      {
        get lastSeq() {
          return sorter.lastSeq;
        },
        get hasHole() {
          return sorter.hasHole;
        },
        read: () => void this.#readAll().then((end) => this.#catchUp.ended(end)),
        giveUp: () => sorter.giveUpHole(),
      },
      clock,
    );
    if (server.additions.flow === true) {
      const { wireId: processId } = process;
      const tell = (ackSeq: number) => calls.notify('process/flow', { processId, ackSeq });
      this.#credit = new OutputCredit(this.log, this.windowBytes, tell);
    }
  }

  /** Takes an event that the server has sent unasked. */
  told(event: RemoteEvent): void {
    if (!isCountable(event)) {
      this.fail({ kind: 'badAnswer', reason: NOT_COUNTABLE });
      return;
    }
    this.#firstTold ??= event.seq;
    this.#sorter.add(event);
    this.#catchUp.told();
  }

  /** Called when there is another connection: events that were sent in between have to be read. */
  resume(): void {
    this.#firstTold = undefined;
    if (!this.log.ended) {
      this.#credit?.resume();
      this.catchUp();
    }
  }

  /** Reads the events that the server has and this log lacks. */
  catchUp(): void {
    this.#catchUp.resumed();
  }

  fail(failure: ExecFailure): void {
    this.#dispose();
    if (!this.log.ended) {
      this.log.fail(failure);
      this.#onChange();
    }
  }

  #dispose(): void {
    this.#sorter.dispose();
    this.#catchUp.dispose();
  }

  async #readAll(): Promise<ReadingEnd> {
    try {
      if (this.#server.additions.list === true || this.#server.additions.flow === true) {
        await this.#readPages();
      } else {
        await this.#readUnexplained();
      }
    } catch (error) {
      if (error instanceof WireClosedError) {
        return 'cut';
      }
      if (isPassing(error)) {
        return 'refused';
      }
      const reason = execErrorOf(error, this.#process);
      this.fail(reason instanceof ExecError ? reason.failure : { kind: 'badAnswer', reason: reason.message });
    }
    return 'told';
  }

  /**
   * Reads page by page. Our own server sends the number of the exit and the evicted output, so each page explains
   * itself.
   */
  async #readPages(): Promise<void> {
    for (;;) {
      const answer = await this.#read(this.#sorter.lastSeq);
      const more = answer.chunks.length > 0;
      const before = this.#sorter.lastSeq;
      this.#addRead(explainRead(answer, this.#known(), more));
      // Without progress, the next answer would be the same.
      if (!more || this.#joined || this.#sorter.lastSeq === before) {
        return;
      }
    }
  }

  /**
   * Reads page by page from other servers. They name neither their evicted output nor the number of the exit, and send
   * their next number only in an answer without output. A hole in the numbers can therefore be explained only at the
   * end. Output before the first hole is taken at once, so that no cut loses it.
   */
  async #readUnexplained(): Promise<void> {
    /** The output after a hole. */
    let behind: RemoteOutput[] = [];
    let last = this.#sorter.lastSeq;
    for (;;) {
      const answer = await this.#read(last);
      const more = answer.chunks.some(({ seq }) => seq > last);
      for (const chunk of answer.chunks) {
        if (chunk.seq === this.#sorter.lastSeq + 1) {
          this.#addRead([chunk]);
        } else if (chunk.seq > last) {
          behind.push(chunk);
        }
        last = Math.max(last, chunk.seq);
      }
      // The bound is for servers that retain more than the real one: for these, no end is explained before their last
      // page.
      if (!more || behind.length > EARLY_EVENTS) {
        this.#addRead(explainRead({ ...answer, chunks: behind }, this.#known(), more));
        behind = [];
      }
      if (!more || this.#joined) {
        return;
      }
    }
  }

  #addRead(events: readonly RemoteEvent[]): void {
    if (!events.every(isCountable)) {
      throw new ExecError({ kind: 'badAnswer', reason: NOT_COUNTABLE });
    }
    this.#sorter.addRead(events);
  }

  /** Whether the server will send the next events unasked. */
  get #joined(): boolean {
    const { lastSeq, hasHole } = this.#sorter;
    return this.#firstTold !== undefined && lastSeq >= this.#firstTold && !hasHole;
  }

  #known() {
    const { lastSeq, exitSeq } = this.#sorter;
    return { afterSeq: lastSeq, exitSeq };
  }

  async #read(afterSeq: number): Promise<ReadState> {
    const { wireId: processId } = this.#process;
    const answer = await this.#calls.callNow(
      'process/read',
      { processId, afterSeq, maxBytes: PAGE_BYTES, waitMs: 0 },
      { timeoutMs: REQUEST_MS },
    );
    return readState(answer);
  }

  #take(event: RemoteEvent): void {
    const { log } = this;
    if (log.ended) {
      return;
    }
    switch (event.type) {
      case 'output':
        this.#takeOutput(event);
        break;
      case 'gap':
        this.#takeGap(event);
        break;
      case 'exited':
        log.appendExit(event.status);
        this.#onChange();
        break;
      case 'closed':
        if (log.exit === undefined) {
          this.fail({ kind: 'badAnswer', reason: 'The process was closed before it exited.' });
        } else {
          log.appendClose();
          this.#dispose();
          this.#onChange();
        }
        break;
    }
  }

  #takeGap({ throughSeq, bytes, totalBytes, modes }: RemoteGap): void {
    const before = this.#bytes;
    const counted = totalBytes !== undefined && before !== undefined ? totalBytes - before : undefined;
    // A count below the bytes that the server has sent is wrong; the size is then unknown.
    const lost = bytes ?? (counted !== undefined && counted >= 0 ? counted : undefined);
    this.#bytes = totalBytes ?? (before !== undefined && lost !== undefined ? before + lost : undefined);
    this.log.appendMissing(throughSeq, lost, (modes?.length ?? 0) <= MOST_MODES ? modes : undefined);
  }

  #takeOutput({ seq, stream, bytes, lent, size }: RemoteOutput): void {
    if (size !== undefined && isPossibleSize(size)) {
      this.log.resized(size);
    }
    if (bytes.byteLength === 0) {
      // Empty output has a number as well, but a log does not number empty chunks.
      this.log.appendMissing(seq, 0);
      return;
    }
    if (this.#bytes !== undefined) {
      this.#bytes += bytes.byteLength;
    }
    this.log.appendOutput(stream, bytes, lent);
    this.#credit?.received(seq, bytes.byteLength);
  }
}

function readState(answer: ResultOf<'process/read'>): ReadState {
  return {
    chunks: answer.chunks.map(({ seq, stream, chunk, size }) => ({
      type: 'output',
      seq,
      stream,
      bytes: fromBase64(chunk),
      ...(size && { size }),
    })),
    nextSeq: answer.nextSeq,
    exit: answer.exited ? exitStatus(answer) : undefined,
    closed: answer.closed,
    exitSeq: answer.exitSeq,
    evicted: answer.evicted,
  };
}
