import {
  describeFailure,
  type ExecEvent,
  type ExecProcess,
  type FailedEvent,
  onAbort,
} from '../../core/index.js';
import { CliError } from '../exitCodes.js';

/** The most bytes that wait to be taken before the session is held back. */
const WINDOW_BYTES = 256 * 1024;

/**
 * Gives the events of a process, earlier ones first, to a listener until it returns a value. Resolves with undefined if
 * `signal` is aborted.
 *
 * @param afterSeq Only events with a higher number.
 * @param take Takes an event; for output, `done` says that it has been taken, which makes room for more.
 * @throws CliError if the process can never be reached again.
 */
export function follow<T>(
  process: Pick<ExecProcess, 'subscribe'>,
  take: (event: Exclude<ExecEvent, FailedEvent>, done: () => void) => T | undefined,
  signal?: AbortSignal,
  afterSeq = 0,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    // Nothing is delivered before the next turn, so the subscription is there by then.
    const subscription = process.subscribe(
      { afterSeq, windowBytes: WINDOW_BYTES, stallMs: Number.POSITIVE_INFINITY },
      (event) => {
        if (event.type === 'failed') {
          reject(new CliError(describeFailure(event.failure)));
          return;
        }
        const done = () => event.type === 'output' && subscription.acknowledge(event.seq);
        const outcome = take(event, () => void done());
        if (outcome !== undefined) {
          subscription.dispose();
          resolve(outcome);
        }
      },
    );
    onAbort(signal, () => {
      subscription.dispose();
      resolve(undefined);
    });
  });
}
