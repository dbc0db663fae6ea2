import * as z from 'zod/mini';

/**
 * Every method and notification of the wire, with the schema of its content. Unknown members are ignored; members that
 * only some servers send are optional. An addition of our own server to the protocol of `codex exec-server` is marked
 * "ours" and may be used only if the server has announced it, see {@link serverAdditions}. Members of parameters stand
 * in the order of the real server, which takes them by position as well, and ours follow.
 */

const nullish = <T extends z.core.$ZodType>(schema: T) => z.optional(z.nullable(schema));
/** A count of up to 64 bits. Beyond 2^53 the last bits are lost. */
const isCount = (value: number) => Number.isInteger(value) && value >= 0 && value <= 2 ** 64;
const count = z.number().check(z.refine(isCount, 'it has to be a whole number of 64 bits, from 0 on'));
/** Milliseconds since 1970, in the range of JavaScript's dates. */
const time = z.number().check(z.refine((value) => Math.abs(value) <= 8.64e15, 'it has to be a time'));
const text = z.string();
const empty = z.object({});
const processId = z.object({ processId: text });
const stream = z.enum(['stdout', 'stderr', 'pty']);
/** The size of a terminal in cells; the server checks the range. */
const size = z.object({ columns: z.number(), rows: z.number() });
const variables = z.record(text, text);
const metadata = z.record(text, z.unknown());

const envPolicy = z.object({
  inherit: z.enum(['core', 'all', 'none']),
  ignoreDefaultExcludes: z.boolean(),
  exclude: z.array(text),
  set: variables,
  includeOnly: z.array(text),
});

const httpHeader = z.object({ name: text, value: text, valueEnvVar: nullish(text) });

const outputStats = z.object({
  bytes: count,
  chunks: count,
  retainedBytes: count,
  evicted: z.object({ bytes: count, chunks: count, throughSeq: count }),
  lastSeq: count,
});

/** Ours: the description of one process. Times are milliseconds since 1970; `cwd` is a file: URI. */
const processDescription = z.object({
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
  size: z.optional(size),
  output: outputStats,
  metadata,
});
export type ProcessDescription = z.infer<typeof processDescription>;

/** Ours: the additions that a server announces under `capabilities` in its answer to `initialize`. Absent means no. */
export const serverAdditions = z.object({
  /** `process/resize`. */
  resize: z.optional(z.boolean()),
  /** `size` in `process/start`. */
  initialSize: z.optional(z.boolean()),
  /** `process/closeStdin`. */
  closeStdin: z.optional(z.boolean()),
  /** The names that `process/signal` takes besides `interrupt`. */
  signals: z.optional(z.array(text)),
  /** `process/stop` and `process/cancelStop`. */
  stop: z.optional(z.boolean()),
  /** `process/list`, and `clientMetadata` in `process/start`. */
  list: z.optional(z.boolean()),
  /** `process/attach`, also for processes of other connection sessions. */
  attach: z.optional(z.boolean()),
  /** `process/flow`, `process/gap`, and `windowBytes` in `process/start` and `process/attach`. */
  flow: z.optional(z.boolean()),
  /** `process/inputMode`. */
  inputMode: z.optional(z.boolean()),
  /** `host/isListening`. */
  portProbe: z.optional(z.boolean()),
  /** `outputFrames` in `initialized`. */
  outputFrames: z.optional(z.boolean()),
});
export type ServerAdditions = z.infer<typeof serverAdditions>;

const environmentInfo = z.object({
  shell: nullish(z.object({ name: text, path: text })),
  executorVersion: nullish(text),
  providerId: nullish(text),
  cwd: nullish(text),
  userHomeDir: nullish(text),
  platformOs: nullish(text),
  prependPathDirs: nullish(z.array(text)),
  temporaryDirectories: nullish(z.array(text)),
  tempDir: nullish(text),
  capabilities: nullish(z.record(text, z.unknown())),
});
export type EnvironmentInfo = z.infer<typeof environmentInfo>;

const outputChunk = z.object({ seq: count, stream, chunk: text });

/** A `sandbox` is refused by a server that cannot enforce it. */
const sandbox = nullish(z.unknown());
const flag = nullish(z.boolean());
const followSymlinks = flag;

const shape = <P extends z.core.$ZodType, R extends z.core.$ZodType>(params: P, result: R) => ({
  params,
  result,
});

/** The requests of clients. */
export const requests = {
  'initialize': shape(
    z.object({ clientName: text, resumeSessionId: nullish(text) }),
    z.object({
      /** Missing from servers of before April 2026, which cannot resume. */
      sessionId: z.optional(text),
      environmentInfo: nullish(environmentInfo),
      /** Ours. */
      capabilities: nullish(serverAdditions),
    }),
  ),

  'environment/info': shape(empty, environmentInfo),
  'environment/status': shape(empty, z.object({ status: text })),

  'process/start': shape(
    z.object({
      processId: text,
      metadata: nullish(metadata),
      argv: z.array(text),
      /** A file: URI; a path of the server's machine for servers of before June 2026. */
      cwd: text,
      envPolicy: nullish(envPolicy),
      shellSnapshot: nullish(z.unknown()),
      env: variables,
      tty: z.boolean(),
      pipeStdin: z.optional(z.boolean()),
      arg0: nullish(text),
      sandbox,
      enforceManagedNetwork: nullish(z.boolean()),
      managedNetwork: nullish(z.unknown()),
      networkProxy: nullish(z.unknown()),
      /** Ours: the size of the terminal. */
      size: z.optional(size),
      /** Ours: any data that the client wants to get back in `process/list`. */
      clientMetadata: z.optional(metadata),
      /** Ours: the bytes of output that may be under way before the client acknowledges some with `process/flow`. */
      windowBytes: z.optional(count),
    }),
    z.object({
      processId: text,
      sandboxType: nullish(text),
      /** Ours. */
      pid: z.optional(count),
    }),
  ),
  'process/read': shape(
    z.object({ processId: text, afterSeq: nullish(count), maxBytes: nullish(count), waitMs: nullish(count) }),
    z.object({
      chunks: z.array(outputChunk),
      nextSeq: count,
      exited: z.boolean(),
      exitCode: nullish(z.int()),
      closed: z.boolean(),
      failure: nullish(text),
      sandboxDenied: nullish(z.boolean()),
      /** Ours: the name of the signal that ended the process. */
      exitSignal: z.optional(text),
      /** Ours: the sequence number of the exit event, once there is one. */
      exitSeq: z.optional(count),
      /** Ours: present if some of the requested output has been evicted. */
      evicted: z.optional(z.object({ bytes: count, chunks: count, throughSeq: count })),
    }),
  ),
  'process/write': shape(
    /** `writeId` is unknown to servers of before June 2026, and required by later ones. */
    z.object({ processId: text, chunk: text, writeId: text }),
    z.object({ status: z.enum(['accepted', 'unknownProcess', 'starting', 'stdinClosed']) }),
  ),
  /** `signal` is `interrupt`, or a name that the server has announced. */
  'process/signal': shape(z.object({ processId: text, signal: text }), empty),
  'process/terminate': shape(processId, z.object({ running: z.boolean() })),

  /** Ours. */
  'process/resize': shape(z.object({ processId: text, size }), empty),
  /**
   * Ours: the input mode of the process's terminal; null if it has no terminal, has exited, or the mode cannot be found
   * out.
   */
  'process/inputMode': shape(
    processId,
    z.object({ mode: z.nullable(z.object({ canonical: z.boolean(), echo: z.boolean() })) }),
  ),
  /** Ours. */
  'process/closeStdin': shape(processId, empty),
  /**
   * Ours: stops a process step by step. Grace times are milliseconds; `stopId` names this stop for
   * `process/cancelStop`.
   */
  'process/stop': shape(
    z.object({
      processId: text,
      stopId: text,
      graceMs: z.optional(
        z.object({
          interrupt: z.optional(z.number()),
          hangup: z.optional(z.number()),
          terminate: z.optional(z.number()),
          kill: z.optional(z.number()),
        }),
      ),
    }),
    z.object({
      running: z.boolean(),
      steps: z.array(z.enum(['interrupt', 'hangup', 'terminate', 'kill'])),
      exited: z.boolean(),
      survivors: z.array(
        z.object({ pid: z.number(), command: text, why: z.enum(['otherSession', 'stillRunning']) }),
      ),
    }),
  ),
  /** Ours: cancels the later steps of a stop. */
  'process/cancelStop': shape(z.object({ stopId: text }), empty),
  /** Ours. */
  'process/list': shape(empty, z.object({ processes: z.array(processDescription) })),
  /**
   * Ours: gives the process with this handle the name `processId` in this connection session, which gets its events
   * from now on. Earlier output has to be read.
   */
  'process/attach': shape(
    z.object({ handle: text, processId: text, windowBytes: z.optional(count) }),
    z.object({ process: processDescription }),
  ),

  /**
   * Ours: whether a program on the server's machine accepts connections at this TCP port of its loopback address. The
   * server checks the range.
   */
  'host/isListening': shape(z.object({ port: z.number() }), z.object({ listening: z.boolean() })),

  'fs/readFile': shape(z.object({ path: text, followSymlinks, sandbox }), z.object({ dataBase64: text })),
  'fs/writeFile': shape(z.object({ path: text, dataBase64: text, followSymlinks, sandbox }), empty),
  'fs/createDirectory': shape(z.object({ path: text, recursive: flag, followSymlinks, sandbox }), empty),
  'fs/getMetadata': shape(
    z.object({ path: text, followSymlinks, sandbox }),
    z.object({
      isDirectory: z.boolean(),
      isFile: z.boolean(),
      isSymlink: z.boolean(),
      size: z.optional(count),
      createdAtMs: z.number(),
      modifiedAtMs: z.number(),
    }),
  ),
  'fs/canonicalize': shape(z.object({ path: text, sandbox }), z.object({ path: text })),
  'fs/readDirectory': shape(
    z.object({ path: text, sandbox, followSymlinks }),
    z.object({
      entries: z.array(z.object({ fileName: text, isDirectory: z.boolean(), isFile: z.boolean() })),
    }),
  ),
  'fs/walk': shape(
    z.object({
      path: text,
      options: z.object({
        maxDepth: count,
        maxDirectories: count,
        maxEntries: count,
        followDirectorySymlinks: z.boolean(),
        pruneHiddenDirectories: z.boolean(),
      }),
      sandbox,
    }),
    z.object({
      entries: z.array(z.object({ path: text, kind: z.enum(['file', 'directory']) })),
      errors: z.array(z.unknown()),
      truncated: z.boolean(),
    }),
  ),
  'fs/remove': shape(
    z.object({
      path: text,
      recursive: flag,
      force: flag,
      followSymlinks,
      sandbox,
    }),
    empty,
  ),
  'fs/copy': shape(
    z.object({ sourcePath: text, destinationPath: text, recursive: z.boolean(), sandbox }),
    empty,
  ),
  'fs/open': shape(
    z.object({
      handleId: text,
      path: text,
      mode: nullish(z.enum(['read', 'replace'])),
      sandbox,
      followSymlinks,
    }),
    z.object({ handleId: text }),
  ),
  'fs/readBlock': shape(
    z.object({ handleId: text, offset: count, len: count }),
    z.object({ chunk: text, eof: z.boolean() }),
  ),
  'fs/writeBlock': shape(z.object({ handleId: text, offset: count, chunk: text }), empty),
  'fs/close': shape(z.object({ handleId: text }), empty),

  'http/request': shape(
    z.object({
      method: text,
      url: text,
      headers: z.optional(z.array(httpHeader)),
      bodyBase64: nullish(text),
      timeoutMs: nullish(count),
      redirectPolicy: nullish(z.enum(['follow', 'stop'])),
      requestId: text,
      streamResponse: z.optional(z.boolean()),
    }),
    z.object({
      status: count,
      headers: z.array(z.object({ name: text, value: text })),
      bodyBase64: text,
    }),
  ),
} as const;

/** The notifications of clients. A server closes the connection on any other one. */
export const clientNotifications = {
  /** The second half of the handshake. Its other members are ignored. */
  'initialized': z.object({
    /** Ours: this client takes output as frames. */
    outputFrames: z.optional(z.boolean()),
  }),
  /** Ours: acknowledges the output of a process up to this sequence number. */
  'process/flow': z.object({ processId: text, ackSeq: count }),
} as const;

/** The notifications of servers. A client ignores any other one. */
export const serverNotifications = {
  'process/output': z.object({ processId: text, seq: count, stream, chunk: text }),
  'process/exited': z.object({
    processId: text,
    seq: count,
    exitCode: z.int(),
    sandboxDenied: nullish(z.boolean()),
    /** Ours: the name of the signal that ended the process. */
    exitSignal: z.optional(text),
  }),
  'process/closed': z.object({ processId: text, seq: count }),
  /**
   * Ours, and only for a process that was started or attached with `windowBytes`: these sequence numbers will never be
   * sent.
   */
  'process/gap': z.object({
    processId: text,
    fromSeq: count,
    throughSeq: count,
    chunks: count,
    bytes: z.optional(count),
  }),
  'http/request/bodyDelta': z.object({
    requestId: text,
    seq: count,
    deltaBase64: text,
    done: z.boolean(),
    error: nullish(text),
  }),
} as const;

type Requests = typeof requests;
type ClientNotifications = typeof clientNotifications;
type ServerNotifications = typeof serverNotifications;

export type RequestName = keyof Requests;
export type ParamsOf<M extends RequestName> = z.infer<Requests[M]['params']>;
export type ResultOf<M extends RequestName> = z.infer<Requests[M]['result']>;
export type ClientNotificationName = keyof ClientNotifications;
export type ClientNotificationParams<N extends ClientNotificationName> = z.infer<ClientNotifications[N]>;
export type ServerNotificationName = keyof ServerNotifications;
export type ServerNotificationParams<N extends ServerNotificationName> = z.infer<ServerNotifications[N]>;
