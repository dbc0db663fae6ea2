import * as z from 'zod/mini';

import { processDescription } from './processDescription.js';
import { nullish, count, text, empty, stream, whenUsed } from './schemas.js';

/** The notifications of clients. A server closes the connection on any other one. */
export const clientNotifications = whenUsed({
  /** The second half of the handshake. Its other members are ignored. */
  'initialized': () =>
    z.object({
      /** Ours: this client takes output as frames. */
      outputFrames: z.optional(z.boolean()),
      /** Ours: this client wants to be told by `server/goodbye` that the server ends. */
      goodbye: z.optional(z.boolean()),
      /** Ours: this client wants a `server/signOfLife` in this interval, in milliseconds. */
      signOfLifeMs: z.optional(z.number()),
      /** Ours: this client answers a `server/ping` with a `client/pong`. */
      pings: z.optional(z.boolean()),
      /** Ours: this client wants to be told by `process/changed` of every process within its reach. */
      changes: z.optional(z.boolean()),
      /** Ours: this client only looks on, and is no reason for a server of sessions to stay that has none. */
      observes: z.optional(z.boolean()),
    }),
  /** Ours: the answer to a `server/ping`. */
  'client/pong': () => empty,
  /** Ours: acknowledges the output of a process up to this sequence number. */
  'process/flow': () => z.object({ processId: text, ackSeq: count }),
});

/** The notifications of servers. A client ignores any other one. */
export const serverNotifications = whenUsed({
  'process/output': () => z.object({ processId: text, seq: count, stream, chunk: text }),
  'process/exited': () =>
    z.object({
      processId: text,
      seq: count,
      exitCode: z.int(),
      sandboxDenied: nullish(z.boolean()),
      /** Ours: the name of the signal that ended the process. */
      exitSignal: z.optional(text),
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
    }),
  /** Ours, and only for a client that wants it: the server ends now, and with it every process that has not exited. */
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
   * Ours, and only for a client that wants it: a process within its reach was added or removed, or its description is
   * another one; output alone does not count. Several changes may be told as one.
   */
  'process/changed': () =>
    z.object({
      type: z.enum(['added', 'changed', 'removed']),
      handle: text,
      /** As it is now; absent for one that was removed. */
      process: z.optional(processDescription()),
      /** Of one that was removed: nobody removed it, but the time is over for which it is kept. */
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
