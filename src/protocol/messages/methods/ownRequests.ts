import * as z from 'zod/mini';

import { processDescription } from './processDescription.js';
import {
  count,
  text,
  empty,
  envPolicy,
  processId,
  sandboxBounds,
  size,
  stream,
  variables,
  metadata,
  shape,
} from './schemas.js';

/** Grace times of the steps of a stop, in milliseconds. */
const graceMs = () =>
  z.object({
    interrupt: z.optional(z.number()),
    hangup: z.optional(z.number()),
    terminate: z.optional(z.number()),
    kill: z.optional(z.number()),
  });

/** A process that another one has left. The start time, in the machine's unit, tells it from later ones. */
const survivor = () =>
  z.object({
    pid: z.number(),
    startTime: text,
    command: text,
    why: z.enum(['otherSession', 'stillRunning']),
    holdsOutput: z.optional(z.boolean()),
  });

const stopReport = () =>
  z.object({
    running: z.boolean(),
    steps: z.array(z.enum(['interrupt', 'hangup', 'terminate', 'kill'])),
    exited: z.boolean(),
    survivors: z.array(survivor()),
    survivorsUnknown: z.optional(z.boolean()),
  });

/** How much output each process, and all together, keep in memory, and how many closed ones stay. */
const outputLimits = () => z.object({ bytes: count, chunks: count, allBytes: count, closed: count });

/** Whether output is also kept on disk, and how many bytes of each process and of all together. */
const diskLimits = () => z.object({ keep: z.boolean(), bytes: count, allBytes: count });

/** A process that is no session, with those below it. */
const sighting = () =>
  z.object({
    pid: count,
    startTime: text,
    kind: z.enum(['agent', 'command', 'helper', 'job']),
    handedOver: z.boolean(),
    command: text,
    cwd: z.optional(text),
    /** Milliseconds since 1970. */
    startedAt: z.optional(z.number()),
    sid: count,
    processes: count,
    cpuSeconds: z.optional(z.number()),
    memoryBytes: z.optional(count),
    ports: z.optional(z.array(count)),
    owner: z.optional(
      z.object({
        agents: z.array(text),
        conversation: z.optional(text),
        claimed: z.boolean(),
        pid: z.optional(count),
      }),
    ),
    detached: z.boolean(),
    shared: z.boolean(),
    end: z.optional(z.object({ at: z.number(), exitCode: z.optional(count) })),
  });

/** A process that listens at a port, as seen from one process. */
const listener = () =>
  z.object({
    addresses: z.array(text),
    pid: z.optional(count),
    command: z.optional(text),
    user: z.optional(text),
    /** Whether it belongs to the process. */
    own: z.boolean(),
    /**
     * The process of the server to which it belongs: its handle, and its name in this connection session if it has one.
     */
    handle: z.optional(text),
    processId: z.optional(text),
    /** For other processes: whether it began to listen after the start of the process, if known. */
    later: z.optional(z.boolean()),
  });
export type ListenerDescription = z.infer<ReturnType<typeof listener>>;

/** The sums over the processes that belong to a process; `ports` is absent if they could not be found out. */
const processUsage = () =>
  z.object({
    processes: count,
    cpuSeconds: z.number(),
    memoryBytes: count,
    ports: z.optional(z.array(z.object({ port: count, addresses: z.array(text) }))),
  });

/** The requests that only our own server answers. */
export const ownRequests = {
  /** Ours. */
  'process/resize': shape(
    () => z.object({ processId: text, size }),
    () => empty,
  ),
  /**
   * Ours: the input mode of the process's terminal. Null if it has no terminal, has exited, or the mode cannot be found
   * out.
   */
  'process/inputMode': shape(
    () => processId,
    () =>
      z.object({
        mode: z.nullable(
          z.object({
            canonical: z.boolean(),
            echo: z.boolean(),
            enterIsLineFeed: z.optional(z.boolean()),
          }),
        ),
      }),
  ),
  /** Ours: what the process waits for. Null if it has exited, or if that cannot be told. */
  'process/inputWait': shape(
    () => processId,
    () =>
      z.object({
        wait: z.nullable(
          z.object({
            kind: z.enum(['none', 'line', 'secret', 'keys', 'pipe']),
            question: z.optional(text),
          }),
        ),
      }),
  ),
  /** Ours. */
  'process/closeStdin': shape(
    () => processId,
    () => empty,
  ),
  /**
   * Ours: stops a process step by step. Grace times are milliseconds; `stopId` names this stop for
   * `process/cancelStop`.
   */
  'process/stop': shape(
    () => z.object({ processId: text, stopId: text, graceMs: z.optional(graceMs()) }),
    stopReport,
  ),
  /** Ours: cancels the later steps of a stop. */
  'process/cancelStop': shape(
    () => z.object({ stopId: text }),
    () => empty,
  ),
  /** Ours: looks for processes that a process has left after its exit. */
  'process/survivors': shape(
    () => processId,
    () => z.object({ survivors: z.array(survivor()) }),
  ),
  /** Ours: the processes that listen at a TCP port of the server's machine. The server checks the range. */
  'process/listeners': shape(
    () => z.object({ processId: text, port: z.number() }),
    () => z.object({ listeners: z.array(listener()) }),
  ),
  /** Ours: the resources that the process and everything that belongs to it use now; null if it has exited. */
  'process/usage': shape(
    () => processId,
    () => z.object({ usage: z.nullable(processUsage()) }),
  ),
  /** Ours: ends one process that `process/stop` or `process/survivors` has named. Only two of the steps apply. */
  'process/endSurvivor': shape(
    () => z.object({ processId: text, pid: count, startTime: text, graceMs: z.optional(graceMs()) }),
    stopReport,
  ),
  /** Ours. A list larger than the largest message is refused. */
  'process/list': shape(
    () => empty,
    () => z.object({ processes: z.array(processDescription()) }),
  ),
  /**
   * Ours: one page of that list, oldest first. For the first page `after` is empty; for the others it is the `next` of
   * the page before. The last page has no `next`.
   */
  'process/listPage': shape(
    () => z.object({ after: text }),
    () => z.object({ processes: z.array(processDescription()), next: z.optional(text) }),
  ),
  /**
   * Ours: gives the process with this handle the name `processId` in this connection session. The session gets its
   * events from now on; earlier output has to be read.
   */
  'process/attach': shape(
    () => z.object({ handle: text, processId: text, windowBytes: z.optional(count) }),
    () => z.object({ process: processDescription() }),
  ),
  /**
   * Ours: changes the metadata of a process key by key; null removes a key. When the connection has ended, `whenGone`
   * takes effect unless its keys have been described again. Its `patch` changes keys in the same way, and its `timeKey`
   * gets the time. Nothing is changed, now or then, unless the metadata has the `provided` values after the change.
   */
  'process/describe': shape(
    () =>
      z.object({
        processId: text,
        patch: metadata,
        whenGone: z.optional(z.object({ patch: z.optional(metadata), timeKey: z.optional(text) })),
        provided: z.optional(metadata),
      }),
    () => empty,
  ),
  /** Ours: everything that a process was asked to start with, except its metadata; `cwd` is a file: URI. */
  'process/startedWith': shape(
    () => processId,
    () =>
      z.object({
        argv: z.array(text),
        cwd: text,
        envPolicy: z.optional(envPolicy),
        env: variables,
        tty: z.boolean(),
        pipeStdin: z.optional(z.boolean()),
        arg0: z.optional(text),
        size: z.optional(size),
        stderrToStdout: z.optional(z.boolean()),
        sandbox: z.optional(sandboxBounds),
        owned: z.optional(z.boolean()),
      }),
  ),
  /** Ours: forgets an exited process. It is named by its handle, or by its name in this connection session. */
  'process/remove': shape(
    () => z.object({ handle: z.optional(text), processId: z.optional(text) }),
    () => empty,
  ),
  /** Ours: how this connection session shows a process. */
  'process/view': shape(
    () => z.object({ processId: text, state: z.enum(['focused', 'shown', 'none']) }),
    () => empty,
  ),

  /**
   * Ours: reads the output of a process that is kept on disk, after a number. The process is named by its name in this
   * connection session, or by its handle; a handle may be from an earlier server. The answer's `missing` lists what is
   * not there, among the chunks and around them; `bytes` is absent if the size is unknown.
   */
  'process/readKept': shape(
    () =>
      z.object({
        processId: z.optional(text),
        handle: z.optional(text),
        afterSeq: count,
        maxBytes: z.optional(count),
      }),
    () =>
      z.object({
        chunks: z.array(z.object({ seq: count, stream, chunk: text })),
        missing: z.array(
          z.object({
            fromSeq: count,
            throughSeq: count,
            bytes: z.optional(count),
          }),
        ),
      }),
  ),

  /** Ours: the highest number of output that is known to have come before a time, in milliseconds since 1970. */
  'process/seqBefore': shape(
    () => z.object({ processId: text, time: count }),
    () => z.object({ seq: count }),
  ),

  /**
   * Ours: whether a program on the server's machine listens at this TCP port. The server checks the range.
   */
  'host/isListening': shape(
    () => z.object({ port: z.number() }),
    () => z.object({ listening: z.boolean() }),
  ),
  /**
   * Ours: how long owned processes continue without any client, in seconds: those of people, and those of agents; -1
   * means for ever.
   *
   * - With `output`, also how much stays in memory: bytes of output of each process and of all together, and the number
   *   of closed processes.
   * - With `disk`, whether and how much output is also kept on disk, unless `keepOutput` in the metadata of a process
   *   overrides it.
   * - With `receipts`, whether their ends are recorded.
   *
   * The largest value of all connected clients holds.
   */
  'host/keep': shape(
    () =>
      z.object({
        personSeconds: z.number(),
        agentSeconds: z.number(),
        output: z.optional(outputLimits()),
        disk: z.optional(diskLimits()),
        receipts: z.optional(z.boolean()),
      }),
    () => empty,
  ),
  /**
   * Ours: the processes of the server's user on its machine that are no sessions. Absent members cannot be read.
   * `startTime` is in a unit of the machine.
   */
  'host/sightings': shape(
    () => empty,
    () => z.object({ sightings: z.array(sighting()) }),
  ),
  /**
   * Ours: keeps a text for a task of an agent, and answers with the text that is kept now: a final one stays. Needs no
   * process.
   */
  'task/keep': shape(
    () => z.object({ taskId: text, text, isFinal: z.boolean() }),
    () => z.object({ text }),
  ),
  /** Ours: the text of a task, if it is known. */
  'task/read': shape(
    () => z.object({ taskId: text }),
    () => z.object({ text: z.optional(text) }),
  ),
} as const;
