import { fstatSync, readFileSync, statSync } from 'node:fs';

import { MARK_VARIABLE } from '../../core/index.js';
import { markOf, processesMarked } from '../../machine/index.js';
import { kindOfOutput } from '../client/afterExit.js';
import type { Console } from '../console.js';
import { CliError, ExitCode } from '../exitCodes.js';
import { type CliSession, nameOf } from './cliSession.js';
import { findSession } from './selectSession.js';

/**
 * Refuses to show a session inside itself, or inside one that it shows: each output would make more output. Output into
 * a file is not shown. Linux only, where programs have the mark of their session.
 *
 * @throws CliError
 */
export async function refuseLoop(
  { env }: Console,
  session: CliSession,
  sessions: readonly CliSession[],
): Promise<void> {
  const ownMark = env[MARK_VARIABLE];
  if (ownMark === undefined) {
    return;
  }
  const own = sessions.find((one) => markIn(one) === ownMark && isShownIn(one));
  if (own === session) {
    throw loop(`This runs in "${nameOf(session)}" itself`);
  }
  const mark = own && markIn(session);
  const inside = mark === undefined ? [] : await processesMarked(mark);
  if (own !== undefined && inside.some(({ pid }) => shows(pid, own, sessions))) {
    throw loop(`"${nameOf(session)}" shows the session that this runs in`);
  }
}

function loop(why: string): CliError {
  return new CliError(`${why}, so the output would have no end. Use another terminal.`, ExitCode.ownFailure);
}

function markIn({ info: { pid } }: CliSession): string | undefined {
  return pid === undefined ? undefined : markOf(pid);
}

/**
 * Whether standard output is the terminal of a session. A pipe may lead there as well, or be the session's own.
 *
 * @param session A session with the mark of this program.
 */
function isShownIn({ info: { pid = 0 } }: CliSession): boolean {
  const kind = kindOfOutput();
  const isSame = (fd: number) => {
    try {
      return statSync(`/proc/${pid}/fd/${fd}`).rdev === fstatSync(1).rdev;
    } catch {
      return false; // It has closed that, or belongs to another user.
    }
  };
  return kind === 'terminal' ? [0, 1, 2].some(isSame) : kind === 'pipe';
}

/** Whether the command line of a process says that it shows a session. */
function shows(pid: number, shown: CliSession, sessions: readonly CliSession[]): boolean {
  const argv = argumentsOf(pid);
  const follows = argv.includes('logs') && argv.some((one) => /^(?:-\w*f|--follow)/.test(one));
  return (follows || argv.includes('attach')) && argv.some((one) => means(one, shown, sessions));
}

function means(selector: string, session: CliSession, sessions: readonly CliSession[]): boolean {
  try {
    return findSession(sessions, selector) === session;
  } catch {
    return false; // It may mean several.
  }
}

function argumentsOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return []; // It has ended.
  }
}
