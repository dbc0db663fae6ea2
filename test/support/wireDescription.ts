/** A server's description of one process on the wire. Members that a test does not care about are filled in. */
export function wireDescription(handle: string, some: object = {}) {
  return {
    handle,
    argv: ['x'],
    cwd: 'file:///',
    tty: false,
    pipeStdin: false,
    state: 'running',
    startedAt: 1,
    output: {
      bytes: 0,
      chunks: 0,
      retainedBytes: 0,
      evicted: { bytes: 0, chunks: 0, throughSeq: 0 },
      lastSeq: 0,
    },
    metadata: {},
    ...some,
  };
}

/** A server's answer to a read of a process that has said nothing. */
export const NOTHING_READ = { chunks: [], nextSeq: 1, exited: false, closed: false };
