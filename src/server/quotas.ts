import { MAX_UNANSWERED_REQUESTS } from '../protocol/limits.js';

/**
 * The most that one client may have at the same time. So a client that asks for ever more leaves something to the
 * others. Each can be set on the command line.
 */
export interface Quotas {
  /** Processes that it has started and that are not closed; they count for the connection session. */
  readonly processes: number;
  /**
   * The most requests without an answer. With more, reading pauses, so that the client waits and no request is refused.
   */
  readonly requests: number;
  /** HTTP requests, until their body has ended. */
  readonly httpRequests: number;
  /** Files opened with `fs/open`. */
  readonly openFiles: number;
}

export const DEFAULT_QUOTAS: Quotas = {
  processes: 4_096,
  requests: MAX_UNANSWERED_REQUESTS,
  httpRequests: 128,
  openFiles: 128,
};

/** The options of the command line that set the quotas, for the texts of refusals. */
export const QUOTA_OPTIONS = {
  processes: '--max-processes',
  requests: '--max-requests',
  httpRequests: '--max-http-requests',
  openFiles: '--max-open-files',
} as const satisfies Record<keyof Quotas, string>;
