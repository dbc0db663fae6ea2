import type { EnvironmentSnapshot } from '../../../src/sessions/list/environment.js';
import type { SessionSnapshot } from '../../../src/sessions/list/sessionSnapshot.js';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** The time at which the sessions of these tests were started. */
export const START = Date.UTC(2026, 0, 15, 12);

/** This machine, as the tree shows it where it shows environments. */
export const thisMachine: EnvironmentSnapshot = {
  id: 'local',
  label: 'This machine',
  kind: 'local',
  target: '',
  state: { kind: 'connected' },
  removed: false,
};

const NO_OUTPUT: SessionSnapshot['output'] = {
  bytes: 0,
  chunks: 0,
  retainedBytes: 0,
  evicted: { bytes: 0, chunks: 0, throughSeq: 0 },
  missing: { chunks: 0, bytes: 0 },
  lastSeq: 0,
};

/** A running session, with the properties that a test is about. */
export function snapshot(changes: Partial<SessionSnapshot> = {}): SessionSnapshot {
  return {
    id: 'one',
    environment: { id: 'local', label: 'This machine' },
    commandLine: 'npm test',
    argv: ['npm', 'test'],
    cwd: '/home/me/project',
    tty: true,
    pipeStdin: false,
    origin: { kind: 'user' },
    state: 'running',
    stopping: false,
    pid: 123,
    startedAt: START,
    output: NO_OUTPUT,
    ...changes,
  };
}

/** A closed session. */
export function closed(exit: NonNullable<SessionSnapshot['exit']>, after = 2 * MINUTE): SessionSnapshot {
  return snapshot({ state: 'closed', exit, exitedAt: START + after, closedAt: START + after });
}

export function evictedOutput(bytes: number, evicted: number): SessionSnapshot['output'] {
  return {
    bytes,
    chunks: 10,
    retainedBytes: bytes - evicted,
    evicted: { bytes: evicted, chunks: 4, throughSeq: 4 },
    missing: { chunks: 0, bytes: 0 },
    lastSeq: 10,
  };
}
