import { setImmediate } from 'node:timers/promises';

import { delay, type ExecEvent, type ExecProcess, messageOf } from '../../core/index.js';
import type { Pattern } from '../../terminal/pattern.js';
import { type Console, remark, say } from '../console.js';
import { CliError, ExitCode } from '../exitCodes.js';
import { withMachines } from '../machines.js';
import { listSessions, withProcess } from '../sessions/cliSession.js';
import { follow } from '../sessions/follow.js';
import { followLines } from '../sessions/followLines.js';
import { type PortOutcome, untilListening } from '../sessions/listening.js';
import { selectSession } from '../sessions/selectSession.js';

/** The event to wait for. */
export type Goal =
  | { readonly kind: 'exit' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'output'; readonly pattern: string; readonly ignoreCase: boolean }
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
      const limit =
        limitMs === undefined
          ? []
          : [delay(console.clock, limitMs, over.signal).then(() => ExitCode.timeOver as number)];
      const code = await Promise.race([reach(console, process, goal, over.signal), ...limit]);
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
      return untilOutput(console, process, goal, signal);
    case 'port':
      return portCode(console, goal.port, await untilListening(console.clock, process, goal.port, signal));
  }
}

/**
 * A pattern takes time proportional to the text, and other work has its turn between lines, so a time limit holds.
 *
 * @throws CliError if the pattern is wrong.
 */
async function untilOutput(
  console: Console,
  process: ExecProcess,
  goal: Extract<Goal, { readonly kind: 'output' }>,
  signal: AbortSignal,
): Promise<number> {
  const { Pattern } = await import('../../terminal/pattern.js');
  const pattern = patternOf();
  let work = 0;
  const found = await followLines(console.clock, process, signal, async (lines) => {
    for (const line of lines) {
      if (pattern.matches(line)) {
        return ExitCode.done;
      }
      work += line.length;
      if (work > pattern.reach / 4) {
        work = 0;
        await setImmediate();
      }
      if (signal.aborted) {
        break;
      }
    }
    return undefined;
  });
  return found ?? (signal.aborted ? ExitCode.timeOver : tooLate(console, 'its output did not have it'));

  function patternOf(): Pattern {
    try {
      return new Pattern(goal.pattern, goal.ignoreCase);
    } catch (error) {
      throw new CliError(messageOf(error), ExitCode.usage);
    }
  }
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
