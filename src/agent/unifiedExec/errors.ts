import { messageOf } from '../../core/index.js';

/** The reasons for which a request fails. */
export type UnifiedExecFailure = 'missingCommandLine' | 'createSession' | 'unknownSessionId' | 'writeToStdin';

/** A request that failed. Programs search its message for certain words, so the messages stay as they are. */
export class UnifiedExecError extends Error {
  readonly failure: UnifiedExecFailure;
  /** The session that the request named, if it did. */
  readonly sessionId: number | undefined;

  constructor(
    failure: UnifiedExecFailure,
    message: string,
    options: { readonly sessionId?: number; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'UnifiedExecError';
    this.failure = failure;
    this.sessionId = options.sessionId;
  }
}

/** A function for each error, so that its text is written once. */
export const unifiedExecErrors = {
  missingCommandLine: () =>
    new UnifiedExecError('missingCommandLine', 'missing command line for unified exec request'),
  createSession: (cause: unknown) =>
    new UnifiedExecError('createSession', `Failed to create unified exec session: ${messageOf(cause)}`, {
      cause,
    }),
  unknownSessionId: (sessionId: number) =>
    new UnifiedExecError('unknownSessionId', `Unknown session id ${sessionId}`, { sessionId }),
  /** @param cause The reason, which is not part of the message. */
  writeToStdin: (sessionId: number, cause: unknown) =>
    new UnifiedExecError('writeToStdin', 'failed to write to stdin', { sessionId, cause }),
} as const;
