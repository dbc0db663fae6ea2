import type { Evicted, ExitStatus } from '../../core/index.js';
import type { RemoteEvent, RemoteOutput } from '../session/remoteEvent.js';

/** The parts of an answer to `process/read` that are used here. */
export interface ReadState {
  readonly chunks: readonly RemoteOutput[];
  readonly nextSeq: number;
  /** Present once the process has exited. */
  readonly exit?: ExitStatus | undefined;
  readonly closed: boolean;
  /** The number of the exit, from servers that send it. */
  readonly exitSeq?: number | undefined;
  /** Output that the server has evicted since the process started, from servers that send it. */
  readonly evicted?:
    (Pick<Evicted, 'bytes' | 'throughSeq'> & { readonly modes?: string | undefined }) | undefined;
}

export interface Known {
  /** All events through this number have been delivered. */
  readonly afterSeq: number;
  /** The number of the exit, if that is known already. */
  readonly exitSeq?: number | undefined;
}

/**
 * Reconstructs events from an answer to `process/read`. The answer has the retained output, but neither the exit nor
 * the close nor the evicted output. These have the numbers that are left over.
 *
 * @param partial Whether `maxBytes` may have cut the answer: the events after its last chunk are then unknown.
 */
export function explainRead(answer: ReadState, known: Known, partial = false): RemoteEvent[] {
  const chunks = answer.chunks.filter(({ seq }) => seq > known.afterSeq);
  const last = chunks.at(-1)?.seq ?? known.afterSeq;
  const end = partial ? last : Math.max(last, answer.nextSeq - 1);
  const ends = endsOf(answer, known, { chunks, last, end, partial });
  const events: RemoteEvent[] = [];
  let seq = known.afterSeq;
  const gapUpTo = (throughSeq: number) => {
    if (throughSeq > seq) {
      const { evicted } = answer;
      const told = evicted?.throughSeq === throughSeq ? evicted : undefined;
      events.push({
        type: 'gap',
        seq: seq + 1,
        throughSeq,
        ...(told !== undefined && { totalBytes: told.bytes }),
        ...(told?.modes !== undefined && { modes: told.modes }),
      });
      seq = throughSeq;
    }
  };
  for (const event of [...chunks, ...ends].sort((one, other) => one.seq - other.seq)) {
    gapUpTo(event.seq - 1);
    events.push(event);
    seq = event.seq;
  }
  gapUpTo(end);
  return events;
}

interface Span {
  readonly chunks: readonly RemoteOutput[];
  readonly last: number;
  readonly end: number;
  readonly partial: boolean;
}

/** The exit and the close, if the answer covers them and they are not known yet. */
function endsOf(answer: ReadState, known: Known, span: Span): RemoteEvent[] {
  const { exit, closed } = answer;
  const events: RemoteEvent[] = [];
  const exitSeq = known.exitSeq ?? answer.exitSeq ?? inferredExit(answer, known, span);
  if (exit !== undefined && exitSeq !== undefined && exitSeq > known.afterSeq) {
    if (!span.partial || exitSeq <= span.last) {
      events.push({ type: 'exited', seq: exitSeq, status: exit });
    }
  }
  if (closed && !span.partial && exit !== undefined) {
    // A server may count wrong: the close comes after all other events.
    const seq = Math.max(span.end, span.last + 1, (exitSeq ?? known.afterSeq) + 1);
    events.push({ type: 'closed', seq });
  }
  return events;
}

/**
 * Infers the number of the exit. Retained output has no holes, so a hole in the numbers is the exit. A number left over
 * after the output is also the exit, unless it belongs to the close. Otherwise the exit is somewhere before the oldest
 * retained output, and the number right before that is taken.
 */
function inferredExit({ exit, closed }: ReadState, known: Known, span: Span): number | undefined {
  if (exit === undefined) {
    return undefined;
  }
  const hole = span.chunks.find((chunk, index) => {
    const before = span.chunks[index - 1];
    return before !== undefined && before.seq + 1 < chunk.seq;
  });
  if (hole !== undefined) {
    return hole.seq - 1;
  }
  if (span.partial) {
    return undefined;
  }
  const behind = span.end - (closed ? 1 : 0);
  if (behind > span.last) {
    return behind;
  }
  const oldest = span.chunks[0]?.seq ?? known.afterSeq + 1;
  return oldest - 1 > known.afterSeq ? oldest - 1 : span.last + 1;
}
