import {
  type ExecEvent,
  type ExecProcess,
  type FailedEvent,
  type OutputEvent,
  readRetained,
  type RetainedOutput,
} from '../../core/index.js';
import type { CliSession } from './cliSession.js';
import { follow } from './follow.js';

/**
 * The number of the last event of a session when it was listed. A process that was just attached to does not know it.
 */
export function lastSeqOf({ info }: CliSession): number {
  return info.output.lastSeq;
}

/**
 * Reads page by page the output of a session that was retained when it was listed, in memory or on disk, after a
 * number.
 */
export async function readPages(
  session: CliSession,
  process: ExecProcess,
  take: (page: RetainedOutput) => unknown,
  afterSeq = 0,
): Promise<void> {
  const last = lastSeqOf(session);
  // Memory has the output from there on, and knows the gaps in it.
  await upTo(last, process, (_, done) => done());
  await readRetained(process, take, last, afterSeq);
}

/** Gives the output of a process to a listener, after one number and up to another, or up to its end. */
export async function upTo(
  last: number,
  process: ExecProcess,
  take: (event: OutputEvent, done: () => void) => void,
  afterSeq = 0,
): Promise<void> {
  if (last > afterSeq) {
    await follow(
      process,
      (event, done) => {
        if (event.type === 'output') {
          take(event, done);
        }
        return event.type === 'closed' || seqOf(event) >= last ? true : undefined;
      },
      undefined,
      afterSeq,
    );
  }
}

function seqOf(event: Exclude<ExecEvent, FailedEvent>): number {
  return event.type === 'gap' ? event.throughSeq : event.seq;
}
