import * as z from 'zod/mini';

import { serverAdditions } from './serverAdditions.js';
import {
  nullish,
  count,
  text,
  empty,
  processId,
  stream,
  size,
  variables,
  metadata,
  sandbox,
  envPolicy,
  inherited,
  shape,
} from './schemas.js';

const environmentInfo = () =>
  z.object({
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
export type EnvironmentInfo = z.infer<ReturnType<typeof environmentInfo>>;

const outputChunk = () =>
  z.object({
    seq: count,
    stream,
    chunk: text,
    /** Ours: the size of the terminal from this output on, where it has changed. */
    size: z.optional(size),
  });

const httpHeader = () => z.object({ name: text, value: text, valueEnvVar: nullish(text) });

/** The requests of the protocol of `codex exec-server`, except those for files. */
export const baseRequests = {
  'initialize': shape(
    () => z.object({ clientName: text, resumeSessionId: nullish(text) }),
    () =>
      z.object({
        sessionId: text,
        environmentInfo: nullish(environmentInfo()),
        /** Ours. */
        capabilities: nullish(serverAdditions()),
      }),
  ),

  'environment/info': shape(() => empty, environmentInfo),
  'environment/status': shape(
    () => empty,
    () => z.object({ status: text }),
  ),

  'process/start': shape(
    () =>
      z.object({
        processId: text,
        metadata: nullish(metadata),
        argv: z.array(text),
        /** A file: URI. */
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
        /** Ours: without a terminal, one pipe for both outputs. */
        stderrToStdout: z.optional(z.boolean()),
        /** Ours: any data that the client wants to get back in `process/list`. */
        clientMetadata: z.optional(metadata),
        /** Ours: the bytes of output that may be under way before the client acknowledges some with `process/flow`. */
        windowBytes: z.optional(count),
        /** Ours: the server owns the process. It stays until it is removed, even without a client. */
        owned: z.optional(z.boolean()),
        /** Ours: the umask and the limits of the client, in place of the server's. */
        inherited: z.optional(inherited),
      }),
    () =>
      z.object({
        processId: text,
        sandboxType: nullish(text),
        /** Ours. */
        pid: z.optional(count),
      }),
  ),
  'process/read': shape(
    () =>
      z.object({
        processId: text,
        afterSeq: nullish(count),
        maxBytes: nullish(count),
        waitMs: nullish(count),
      }),
    () =>
      z.object({
        chunks: z.array(outputChunk()),
        nextSeq: count,
        exited: z.boolean(),
        exitCode: nullish(z.int()),
        closed: z.boolean(),
        failure: nullish(text),
        sandboxDenied: nullish(z.boolean()),
        /** Ours: the name of the signal that ended the process. */
        exitSignal: z.optional(text),
        /** Ours: the file that the output names if the sandbox seems to have refused something. */
        deniedFile: z.optional(text),
        /** Ours: the sequence number of the exit event, once there is one. */
        exitSeq: z.optional(count),
        /** Ours: present if some of the requested output has been evicted. */
        evicted: z.optional(
          z.object({ bytes: count, chunks: count, throughSeq: count, modes: z.optional(text) }),
        ),
      }),
  ),
  'process/write': shape(
    () => z.object({ processId: text, chunk: text, writeId: text }),
    () => z.object({ status: z.enum(['accepted', 'unknownProcess', 'starting', 'stdinClosed']) }),
  ),
  /** `signal` is `interrupt`, or a name that the server has announced. */
  'process/signal': shape(
    () => z.object({ processId: text, signal: text }),
    () => empty,
  ),
  'process/terminate': shape(
    () => processId,
    () => z.object({ running: z.boolean() }),
  ),

  'http/request': shape(
    () =>
      z.object({
        method: text,
        url: text,
        headers: z.optional(z.array(httpHeader())),
        bodyBase64: nullish(text),
        timeoutMs: nullish(count),
        redirectPolicy: nullish(z.enum(['follow', 'stop'])),
        requestId: text,
        streamResponse: z.optional(z.boolean()),
      }),
    () =>
      z.object({
        status: count,
        headers: z.array(z.object({ name: text, value: text })),
        bodyBase64: text,
      }),
  ),
} as const;
