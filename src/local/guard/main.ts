import path from 'node:path';

import { type StopStep, systemClock } from '../../core/index.js';
import { PosixSession, TERMINAL_LADDER, type SessionIdentity } from '../stop/posixSession.js';
import { climbStopLadder } from '../stop/stopLadder.js';
import { killTree } from '../windows/windowsTree.js';
import { sweepMountPoints } from '../sandbox/mountPoints.js';
import { NOTES, REPORT } from './command.js';
import { findForked } from './findForked.js';
import { decodeMessage, decodeSession, decodeSign } from './messages.js';
import { addToReport } from './report.js';

/** No person waits for this stop, so it goes faster than a person's Stop. */
const GRACE_MS: Readonly<Record<StopStep, number>> = {
  interrupt: 300,
  hangup: 300,
  terminate: 700,
  kill: 2_000,
};

/**
 * The guard's program: stops the sessions that its arguments name, and those that its input named, once the input has
 * ended. Then it removes what their sandboxes have left.
 */
async function main(): Promise<void> {
  // The guard ignores signals to the host's terminal or group; only its pipe tells it to act.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => undefined);
  }
  const args = process.argv.slice(2);
  let expected = args.map(decodeSign).find((sign) => sign !== undefined);
  let watched = bySid(args.filter((arg) => decodeSign(arg) === undefined).map(decodeSession));
  let report = process.env[REPORT] ?? '';
  let notes = process.env[NOTES] ?? '';
  for await (const line of completeLines()) {
    const message = decodeMessage(line);
    if (message === undefined) {
      continue;
    }
    if ('reportTo' in message) {
      report = message.reportTo;
      continue;
    }
    if ('notes' in message) {
      notes = message.notes;
      continue;
    }
    expected = 'expect' in message ? message.expect : undefined;
    if ('watch' in message) {
      watched.set(message.watch.sid, message.watch);
    } else if ('watchOnly' in message) {
      watched = bySid(message.watchOnly);
    }
  }
  const stop = (identity: SessionIdentity) => stopSession(identity, report);
  const newest = expected && findForked(expected).then((found) => Promise.all(found.map(stop)));
  await Promise.all([newest, ...[...watched.values()].map(stop)]);
  if (notes !== '') {
    await sweepMountPoints(path.dirname(notes), notes);
  }
}

/**
 * The complete lines of the input. An incomplete last line is ignored: the host died while writing it, and half a list
 * is wrong.
 */
async function* completeLines(): AsyncGenerator<string> {
  let begun = '';
  for await (const text of process.stdin.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (begun + text).split('\n');
    begun = lines.pop() ?? '';
    yield* lines;
  }
}

/** A number belongs to the session that had it last. */
function bySid(sessions: readonly SessionIdentity[]): Map<number, SessionIdentity> {
  return new Map(sessions.map((session) => [session.sid, session]));
}

async function stopSession(identity: SessionIdentity, report: string): Promise<void> {
  if (process.platform === 'win32') {
    await killTree(identity.sid);
    return;
  }
  const { steps } = await climbStopLadder(new PosixSession(identity), TERMINAL_LADDER, systemClock, {
    graceMs: GRACE_MS,
  });
  addToReport(report, identity, steps);
}

void main();
