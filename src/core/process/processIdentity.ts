/**
 * Identifies a process for ever. The system gives a number to another process later, but never with the same start
 * time. The start time is a text in a unit of the machine.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
}

/** The identity of a process as a key. */
export function identityKey({ pid, startTime }: ProcessIdentity): string {
  return `${pid} ${startTime}`;
}

/** Whether a process of any user has this number now. The system reuses numbers later. */
export function processExists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
