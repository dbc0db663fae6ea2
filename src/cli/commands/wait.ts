import { delay, type ExecEvent, type ExecProcess } from '../../core/index.js';
import { type Console, remark, say } from '../console.js';
import { ExitCode } from '../exitCodes.js';
import { withMachines } from '../machines.js';
import { listSessions, withProcess } from '../sessions/cliSession.js';
import { follow } from '../sessions/follow.js';
import { LineTexts } from '../sessions/lineTexts.js';
import { type PortOutcome, untilListening } from '../sessions/listening.js';
import { selectSession } from '../sessions/selectSession.js';

/** What is waited for. */
export type Goal =
  | { readonly kind: 'exit' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'output'; readonly pattern: RegExp }
  /** Without a number, any port that its output names. */
  | { readonly kind: 'port'; readonly port?: number };

export interface WaitOptions {
  readonly goal: Goal;
  /** In milliseconds; no limit without it. */
  readonly limitMs?: number | undefined;
}

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
      return portCode(console, goal.port, await untilListening(console.clock, process, goal.port, signal));
  }
}

function untilOutput(
  console: Console,
  process: ExecProcess,
  pattern: RegExp,
  signal: AbortSignal,
): Promise<number> {
  const lines = new LineTexts();
  return untilEvent(process, signal, (event) => {
    if (event.type === 'output') {
      return lines.take(event).some((line) => pattern.test(line)) ? ExitCode.done : undefined;
    }
    return event.type === 'closed' ? tooLate(console, 'its output did not have it') : undefined;
  });
}

/** The port that was not known before is the outcome; the other one is no news. */
function portCode(console: Console, port: number | undefined, outcome: PortOutcome): number {
  switch (outcome) {
    case 'ended':
      return tooLate(
        console,
        port === undefined ? 'it listened at no port' : `it did not listen at port ${port}`,
      );
    case 'aborted':
      return ExitCode.timeOver;
    default:
      if (port === undefined) {
        say(console, String(outcome));
      }
      return ExitCode.done;
  }
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
