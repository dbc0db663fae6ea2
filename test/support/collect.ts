import type { ExecEvent, ExecProcess, ExitStatus, ProcessInfo } from '../../src/core/index.js';
import { textOf } from './bytes.js';
import { wireText } from './failures.js';
import { untilTold } from './until.js';

/** Everything that a process reports, from its first event to its last. */
export interface Collected {
  readonly events: readonly ExecEvent[];
  /** Output of stdout and of a terminal. */
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: ExitStatus | undefined;
}

/** Follows a process by its events until it is closed or lost. */
export function collectEvents(process: ExecProcess): Promise<Collected> {
  const events: ExecEvent[] = [];
  return untilTold(
    `the end of ${process.processId}`,
    () => process.info(),
    (tell, _, heard) =>
      process.subscribe({}, (event) => {
        events.push(event);
        heard();
        if (event.type === 'closed' || event.type === 'failed') {
          tell(summarize(events));
        }
      }),
  );
}

/** Follows a process by reading, and by waiting for its wake-ups in between. Rejects if it is lost. */
export async function collectReads(
  process: ExecProcess,
): Promise<{ output: string; exitCode: number | undefined; closed: boolean }> {
  let output = '';
  let exitCode: number | undefined;
  let afterSeq = 0;
  for (;;) {
    const woken = nextWake(process, 'something to read');
    let answer = await process.read({ afterSeq });
    if (answer.chunks.length === 0 && !answer.closed && answer.failure === undefined) {
      await woken;
      answer = await process.read({ afterSeq });
    }
    if (answer.failure !== undefined) {
      throw new Error(`The process failed before it was closed: ${wireText(answer.failure)}`);
    }
    output += textOf(answer.chunks);
    exitCode = answer.exited ? answer.exit?.exitCode : exitCode;
    if (answer.closed) {
      return { output, exitCode, closed: true };
    }
    afterSeq = answer.nextSeq - 1;
  }
}

/** Resolves once the output of a process so far contains a text. */
export function untilOutput(process: ExecProcess, text: string): Promise<void> {
  let output = '';
  return untilTold(
    `the output ${JSON.stringify(text)}`,
    () => output,
    (tell, fail) =>
      process.subscribe({}, (event) => {
        if (event.type === 'output') {
          output += Buffer.from(event.bytes).toString();
          if (output.includes(text)) {
            tell();
          }
        } else if (event.type === 'closed' || event.type === 'failed') {
          fail(new Error(`The process ended before it printed ${text}: ${output}`));
        }
      }),
  );
}

/** Resolves once a condition on a process holds. Unlike a subscriber without a window it lets others hold the child. */
export async function untilInfo(
  process: ExecProcess,
  condition: (info: ProcessInfo) => boolean,
): Promise<void> {
  while (!condition(process.info())) {
    await nextWake(process, condition.toString());
  }
}

/** Resolves with the first event of a type. */
export function untilEvent<T extends ExecEvent['type']>(
  process: ExecProcess,
  type: T,
): Promise<Extract<ExecEvent, { type: T }>> {
  return untilTold(
    `an event "${type}"`,
    () => process.info(),
    (tell) =>
      process.subscribe({}, (event) => {
        if (isEvent(event, type)) {
          tell(event);
        }
      }),
  );
}

function isEvent<T extends ExecEvent['type']>(
  event: ExecEvent,
  type: T,
): event is Extract<ExecEvent, { type: T }> {
  return event.type === type;
}

function nextWake(process: ExecProcess, wanted: string): Promise<void> {
  return untilTold(
    wanted,
    () => process.info(),
    (tell) => process.onWake(() => tell()),
  );
}

function summarize(events: readonly ExecEvent[]): Collected {
  const output = events.flatMap((event) => (event.type === 'output' ? [event] : []));
  const exited = events.find((event) => event.type === 'exited');
  return {
    events,
    stdout: textOf(output.filter(({ stream }) => stream !== 'stderr')),
    stderr: textOf(output.filter(({ stream }) => stream === 'stderr')),
    exit: exited?.status,
  };
}
