import * as z from 'zod/mini';

import { count, metadata, sandboxBounds, size, text, time } from './schemas.js';

const outputStats = () =>
  z.object({
    bytes: count,
    chunks: count,
    retainedBytes: count,
    evicted: z.object({ bytes: count, chunks: count, throughSeq: count }),
    lastSeq: count,
  });

/** Ours: the description of one process. Times are milliseconds since 1970; `cwd` is a file: URI. */
export const processDescription = () =>
  z.object({
    /** The server's own name for the process, the same for every connection session. */
    handle: text,
    /** The name of the process in this connection session, if it has one. */
    processId: z.optional(text),
    argv: z.array(text),
    cwd: text,
    tty: z.boolean(),
    pipeStdin: z.boolean(),
    state: z.enum(['starting', 'running', 'exited', 'closed', 'failed']),
    pid: z.optional(count),
    startedAt: time,
    exitedAt: z.optional(time),
    closedAt: z.optional(time),
    exitCode: z.optional(z.int()),
    exitSignal: z.optional(text),
    sandboxDenied: z.optional(z.boolean()),
    deniedFile: z.optional(text),
    size: z.optional(size),
    output: outputStats(),
    metadata,
    /** Whether it stays until it is removed. Absent means no. */
    owned: z.optional(z.boolean()),
    sandbox: z.optional(sandboxBounds),
    /**
     * The client whose terminal gives the size: this connection session's, another one's, or no client's. Absent means
     * no client's.
     */
    view: z.optional(z.enum(['primary', 'other', 'none'])),
  });
export type ProcessDescription = z.infer<ReturnType<typeof processDescription>>;
