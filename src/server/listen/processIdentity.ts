import * as z from 'zod/mini';

import { startTimeOf } from '../../local/index.js';

const identity = z.object({ pid: z.int().check(z.positive()), startTime: z.optional(z.string()) });

/** Which process this is: its number, and when it began where that is known, since numbers are used again. */
export function ownIdentity(): z.infer<typeof identity> {
  const startTime = startTimeOf(process.pid);
  return { pid: process.pid, ...(startTime !== undefined && { startTime }) };
}

/** Whether the process that {@link ownIdentity} was asked in still runs. */
export function stillRuns(what: unknown): boolean {
  const parsed = identity.safeParse(what);
  if (!parsed.success || !exists(parsed.data.pid)) {
    return false;
  }
  const now = startTimeOf(parsed.data.pid);
  return now === undefined || parsed.data.startTime === undefined || now === parsed.data.startTime;
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is there, and somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
