import type { ExecEvent, ExecProcess, FailedEvent, OutputEvent } from '../../core/index.js';
import type { CliSession } from './cliSession.js';
import { follow } from './follow.js';

/** The number of the last event of a session when it was listed. A process that was just attached to does not know it. */
export function lastSeqOf({ info }: CliSession): number {
  return info.output.lastSeq;
}

/** Reads everything that was retained of a session's output when it was listed. */
export async function readAll(session: CliSession, process: ExecProcess): Promise<readonly OutputEvent[]> {
  const chunks: OutputEvent[] = [];
  await upTo(lastSeqOf(session), process, (event, done) => {
    chunks.push(event);
    done();
  });
  return chunks;
}

/** Gives the output of a process up to a number to a listener, or up to its end. */
export async function upTo(
  last: number,
  process: ExecProcess,
  take: (event: OutputEvent, done: () => void) => void,
): Promise<void> {
  if (last > 0) {
    await follow(process, (event, done) => {
      if (event.type === 'output') {
        take(event, done);
      }
      return event.type === 'closed' || seqOf(event) >= last ? true : undefined;
    });
  }
}

function seqOf(event: Exclude<ExecEvent, FailedEvent>): number {
  return event.type === 'gap' ? event.throughSeq : event.seq;
}
