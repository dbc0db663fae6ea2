import * as z from 'zod/mini';

import { processDescription } from './processDescription.js';
import { nullish, count, size, text, empty, stream, whenUsed } from './schemas.js';

/** The notifications of clients. At any other one, a server closes the connection. */
export const clientNotifications = whenUsed({
  /** The second half of the handshake. Its other members are ignored. */
  'initialized': () =>
    z.object({
      /** Ours: this client takes output as frames. */
      outputFrames: z.optional(z.boolean()),
      /** Ours: this client wants to be told by `server/goodbye` when the server ends. */
      goodbye: z.optional(z.boolean()),
      /** Ours: this client wants a `server/signOfLife` in this interval, in milliseconds. */
      signOfLifeMs: z.optional(z.number()),
      /** Ours: this client answers a `server/ping` with a `client/pong`. */
      pings: z.optional(z.boolean()),
      /** Ours: this client wants `process/changed` for every process that it can reach. */
      changes: z.optional(z.boolean()),
      /** Ours: this client only observes. A session server without a session does not stay for it. */
      observes: z.optional(z.boolean()),
    }),
  /** Ours: the answer to a `server/ping`. */
  'client/pong': () => empty,
  /** Ours: acknowledges the output of a process up to this sequence number. */
  'process/flow': () => z.object({ processId: text, ackSeq: count }),
});

/** The notifications of servers. A client ignores any other one. */
export const serverNotifications = whenUsed({
  'process/output': () =>
    z.object({
      processId: text,
      seq: count,
      stream,
      chunk: text,
      /** Ours: the size of the terminal from this output on, where it has changed. */
      size: z.optional(size),
    }),
  'process/exited': () =>
    z.object({
      processId: text,
      seq: count,
      exitCode: z.int(),
      sandboxDenied: nullish(z.boolean()),
      /** Ours: the name of the signal that ended the process. */
      exitSignal: z.optional(text),
      /** Ours: the file that the output names if the sandbox seems to have refused something. */
      deniedFile: z.optional(text),
    }),
  'process/closed': () => z.object({ processId: text, seq: count }),
  /**
   * Ours, and only for a process that was started or attached with `windowBytes`: these sequence numbers will never be
   * sent.
   */
  'process/gap': () =>
    z.object({
      processId: text,
      fromSeq: count,
      throughSeq: count,
      chunks: count,
      bytes: z.optional(count),
      /** The sequences that give a fresh terminal the modes in force after it. */
      modes: z.optional(text),
    }),
  /**
   * Ours, and only for a client that wants it: the server ends now, together with every process that has not exited.
   */
  'server/goodbye': () =>
    z.object({
      /** The signal that told it to end. */
      signal: z.optional(text),
    }),
  /** Ours, and only for a client that wants it. */
  'server/signOfLife': () => empty,
  /** Ours, and only for a client that answers it: another connection asks for its session. */
  'server/ping': () => empty,
  /**
   * Ours, and only for a client that wants it: a process that it can reach was added, removed or described anew. Output
   * alone is not reported. One notification may stand for several changes.
   */
  'process/changed': () =>
    z.object({
      type: z.enum(['added', 'changed', 'removed']),
      handle: text,
      /** The current description; absent for a process that was removed. */
      process: z.optional(processDescription()),
      /** For a removed process: its retention time is over; no call has removed it. */
      expired: z.optional(z.boolean()),
    }),
  'http/request/bodyDelta': () =>
    z.object({
      requestId: text,
      seq: count,
      deltaBase64: text,
      done: z.boolean(),
      error: nullish(text),
    }),
});
