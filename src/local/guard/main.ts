import { createInterface } from 'node:readline';

import { systemClock, type StopStep } from '../../core/index.js';
import { PosixSession, TERMINAL_LADDER } from '../posixSession.js';
import { climbStopLadder } from '../stopLadder.js';
import { killTree } from '../windowsTree.js';
import { decodeMessage } from './messages.js';

/** Nobody is there to wait for it, so it goes faster than a person's Stop. */
const GRACE_MS: Readonly<Record<StopStep, number>> = {
  interrupt: 300,
  hangup: 300,
  terminate: 700,
  kill: 2_000,
};

/** The guard's program: reads what to watch from its input, and stops all of it when that ends. */
async function main(): Promise<void> {
  // The host's terminal or its group may be signalled; this process goes by its pipe alone.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => undefined);
  }
  const watched = new Map<number, string | undefined>();
  for await (const line of createInterface({ input: process.stdin })) {
    const message = decodeMessage(line);
    if (message === undefined) {
      continue;
    }
    if ('watch' in message) {
      watched.set(message.watch, message.startTime);
    } else {
      watched.delete(message.unwatch);
    }
  }
  await Promise.all([...watched].map(([sid, startTime]) => stopSession(sid, startTime)));
}

async function stopSession(sid: number, startTime: string | undefined): Promise<void> {
  if (process.platform === 'win32') {
    await killTree(sid);
    return;
  }
  await climbStopLadder(new PosixSession({ sid, startTime }), TERMINAL_LADDER, systemClock, {
    graceMs: GRACE_MS,
  });
}

void main();
