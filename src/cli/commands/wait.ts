import { delay, type ExecEvent, type ExecProcess } from '../../core/index.js';
import { plainText } from '../../terminal/index.js';
import { type Console, remark } from '../console.js';
import { ExitCode } from '../exitCodes.js';
import { withMachines } from '../machines.js';
import { listSessions, withProcess } from '../sessions/cliSession.js';
import { follow } from '../sessions/follow.js';
import { selectSession } from '../sessions/selectSession.js';

/** What is waited for. */
export type Goal =
  | { readonly kind: 'exit' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'output'; readonly pattern: RegExp }
  | { readonly kind: 'port'; readonly port: number };

export interface WaitOptions {
  readonly goal: Goal;
  /** In milliseconds; no limit without it. */
  readonly limitMs?: number | undefined;
}

/** How often a port is looked at, in milliseconds. */
const PORT_LOOK_MS = 100;
/** The longest line that a pattern is looked for in, in characters. */
const LINE_LENGTH = 64 * 1024;

/**
 * Waits for something of a session.
 *
 * @returns for its end, the session's exit code.
 */
export function wait(console: Console, selector: string, options: WaitOptions): Promise<number> {
  return withMachines(console, async (machines) => {
    const session = selectSession(await listSessions(machines), selector);
    return withProcess(session, async (process) => {
      const over = new AbortController();
      const { limitMs } = options;
      const limit =
        limitMs === undefined
          ? []
          : [delay(console.clock, limitMs, over.signal).then(() => ExitCode.timeOver as number)];
      const code = await Promise.race([reach(console, process, options.goal, over.signal), ...limit]);
      over.abort();
      return code;
    });
  });
}

async function reach(
  console: Console,
  process: ExecProcess,
  goal: Goal,
  signal: AbortSignal,
): Promise<number> {
  switch (goal.kind) {
    case 'exit':
    case 'closed':
      return untilEvent(process, signal, (event) =>
        event.type === 'closed' || (goal.kind === 'exit' && event.type === 'exited')
          ? (process.info().exit?.exitCode ?? ExitCode.ownFailure)
          : undefined,
      );
    case 'output':
      return untilOutput(console, process, goal.pattern, signal);
    case 'port':
      return untilPort(console, process, goal.port, signal);
  }
}

function untilOutput(
  console: Console,
  process: ExecProcess,
  pattern: RegExp,
  signal: AbortSignal,
): Promise<number> {
  let line = Buffer.alloc(0);
  return untilEvent(process, signal, (event) => {
    if (event.type === 'output') {
      line = Buffer.concat([line, event.bytes]);
      const text = plainText([{ stream: event.stream, bytes: line }]);
      line = line.subarray(Math.max(line.lastIndexOf(10) + 1, line.byteLength - LINE_LENGTH));
      return text.split('\n').some((one) => pattern.test(one)) ? ExitCode.done : undefined;
    }
    return event.type === 'closed' ? tooLate(console, 'its output did not have it') : undefined;
  });
}

async function untilPort(
  console: Console,
  process: ExecProcess,
  port: number,
  signal: AbortSignal,
): Promise<number> {
  while (!signal.aborted) {
    const { state } = process.info();
    if ((await process.listeners(port)).some(({ own }) => own)) {
      return ExitCode.done;
    }
    if (state === 'closed' || state === 'failed') {
      return tooLate(console, `it did not listen at port ${port}`);
    }
    await delay(console.clock, PORT_LOOK_MS, signal);
  }
  return ExitCode.timeOver;
}

function tooLate(console: Console, what: string): number {
  remark(console, `exec-sessions: the session has ended, and ${what}.`);
  return ExitCode.failed;
}

/** Takes the events of a process until one gives an exit code. */
async function untilEvent(
  process: ExecProcess,
  signal: AbortSignal,
  codeOf: (event: ExecEvent) => number | undefined,
): Promise<number> {
  const code = await follow(
    process,
    (event, done) => {
      done();
      return codeOf(event);
    },
    signal,
  );
  return code ?? ExitCode.timeOver;
}
