import { createContext, Script } from 'node:vm';

import { delay, type ExecEvent, type ExecProcess } from '../../core/index.js';
import { type Console, remark, say } from '../console.js';
import { ExitCode } from '../exitCodes.js';
import { withMachines } from '../machines.js';
import { listSessions, withProcess } from '../sessions/cliSession.js';
import { follow } from '../sessions/follow.js';
import { LineTexts } from '../sessions/lineTexts.js';
import { type PortOutcome, untilListening } from '../sessions/listening.js';
import { selectSession } from '../sessions/selectSession.js';

/** The event to wait for. */
export type Goal =
  | { readonly kind: 'exit' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'output'; readonly pattern: RegExp }
  /** Without a number, any port that its output names. */
  | { readonly kind: 'port'; readonly port?: number };

interface WaitOptions {
  readonly goal: Goal;
  /** In milliseconds; no limit without it. */
  readonly limitMs?: number | undefined;
}

/**
 * Waits for an event of a session.
 *
 * @returns for its end, the session's exit code.
 */
export function wait(console: Console, selector: string, options: WaitOptions): Promise<number> {
  return withMachines(console, async (machines) => {
    const session = selectSession(await listSessions(machines), selector);
    return withProcess(session, async (process) => {
      const over = new AbortController();
      const { goal, limitMs } = options;
      const until = limitMs === undefined ? undefined : console.clock.now() + limitMs;
      const limit =
        limitMs === undefined
          ? []
          : [delay(console.clock, limitMs, over.signal).then(() => ExitCode.timeOver as number)];
      const code = await Promise.race([reach(console, process, goal, over.signal, until), ...limit]);
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
  until: number | undefined,
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
      return untilOutput(console, process, goal.pattern, signal, until);
    case 'port':
      return portCode(console, goal.port, await untilListening(console.clock, process, goal.port, signal));
  }
}

function untilOutput(
  console: Console,
  process: ExecProcess,
  pattern: RegExp,
  signal: AbortSignal,
  until: number | undefined,
): Promise<number> {
  const lines = new LineTexts();
  let seen: readonly string[] = [];
  const matches = interruptible(() => seen.some((line) => pattern.test(line)));
  return untilEvent(process, signal, (event) => {
    if (event.type === 'output') {
      seen = lines.take(event);
      const found = matches(until === undefined ? undefined : until - console.clock.now());
      return found === undefined ? ExitCode.timeOver : found ? ExitCode.done : undefined;
    }
    return event.type === 'closed' ? tooLate(console, 'its output did not have it') : undefined;
  });
}

/**
 * Makes a function that ends after a time limit. A pattern can take hours for one line, in which no timer runs, but
 * Node can interrupt a script.
 *
 * @returns a function of the limit in milliseconds, which returns undefined if the time is over first.
 */
function interruptible<T>(run: () => T): (limitMs: number | undefined) => T | undefined {
  const script = new Script('run()');
  const context = createContext({ run });
  return (limitMs) => {
    if (limitMs === undefined) {
      return run();
    }
    try {
      return limitMs > 0 ? (script.runInContext(context, { timeout: Math.ceil(limitMs) }) as T) : undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
        return undefined;
      }
      throw error;
    }
  };
}

/** A port is printed if it was not known before. */
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
