import type { Receipt } from '../../src/core/index.js';

/** A receipt of a session, which runs unless it has ended at some time, in milliseconds since 1970. */
export function sampleReceipt(id: string, endedAt?: number): Receipt {
  return {
    id,
    sessionId: `session of ${id}`,
    argv: ['bash', '-c', `echo ${id}`],
    commandLine: `echo ${id}`,
    cwd: '/work',
    tty: true,
    origin: { kind: 'user' },
    host: 'here',
    startedAt: 1_000,
    ...(endedAt !== undefined && { end: { kind: 'exit', at: endedAt, status: { exitCode: 0 } } }),
    steps: [],
    left: [],
    bytes: 5,
    evictedBytes: 0,
  };
}
