/** Why a request could not be done. */
export type UnifiedExecFailure = 'missingCommandLine' | 'createSession' | 'unknownSessionId' | 'writeToStdin';

/** A request that could not be done. Programs look for the words of its messages, so they stay as they are. */
export class UnifiedExecError extends Error {
  readonly failure: UnifiedExecFailure;
  /** The session that was asked for, where there was one. */
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

/** One maker for each error, so that its text is written once. */
export const unifiedExecErrors = {
  missingCommandLine: () =>
    new UnifiedExecError('missingCommandLine', 'missing command line for unified exec request'),
  createSession: (cause: unknown) =>
    new UnifiedExecError('createSession', `Failed to create unified exec session: ${messageOf(cause)}`, {
      cause,
    }),
  unknownSessionId: (sessionId: number) =>
    new UnifiedExecError('unknownSessionId', `Unknown session id ${sessionId}`, { sessionId }),
  /** @param cause Why; it is not in the text. */
  writeToStdin: (sessionId: number, cause: unknown) =>
    new UnifiedExecError('writeToStdin', 'failed to write to stdin', { sessionId, cause }),
} as const;

/** What an error says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
